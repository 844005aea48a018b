"""The cryptography of Web Push: payload encryption (RFC 8291, aes128gcm) and the sender's token (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import json
import os
import struct
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RECORD: Final = 4096
TOKEN_LIFE: Final = timedelta(hours=12)


def new_key() -> str:
    """A private key as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def public_key(pem: str) -> str:
    """The public half of a private key, as browsers want it."""
    return to_base64(_point(_private(pem).public_key()))


def encrypt(plain: bytes, *, p256dh: str, auth: str) -> bytes:
    """The body that only the browser which holds the subscription's key can read. Raises ValueError for a bad key."""
    receiver_point = from_base64(p256dh)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver_point)
    sender = ec.generate_private_key(ec.SECP256R1())
    sender_point, salt = _point(sender.public_key()), os.urandom(16)
    info = b"WebPush: info\x00" + receiver_point + sender_point
    shared = _derive(sender.exchange(ec.ECDH(), receiver), from_base64(auth), info, 32)
    key = _derive(shared, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\x00", 12)
    head = salt + struct.pack("!IB", RECORD, len(sender_point)) + sender_point
    return head + AESGCM(key).encrypt(nonce, plain + b"\x02", None)


def authorization(pem: str, endpoint: str, *, now: datetime, contact: str) -> str:
    """The value of the Authorization header for a push service."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + TOKEN_LIFE).timestamp()),
        "sub": contact,
    }
    signed = ".".join(to_base64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_private(pem).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{signed}.{to_base64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return f"vapid t={token}, k={public_key(pem)}"


def to_base64(value: bytes) -> str:
    """URL-safe, without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """The reverse, padding or not. Raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _private(pem: str) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(pem.encode(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("not an elliptic-curve key")
    return key


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
