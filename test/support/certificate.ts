/** A self-signed certificate for a test's own TLS server, made by the openssl of the machine. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** False where it cannot be made, which CI takes for a fault. */
export const canMakeCertificates = Bun.which("openssl") !== null;
if (!canMakeCertificates && process.env.CI)
  throw new Error("openssl is needed to make the tests' certificates");
if (!canMakeCertificates) console.warn("skipped: no openssl to make a certificate with");

/** PEM texts. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** For a DNS name and 127.0.0.1; `options` are openssl's own. */
export function makeCertificate(name: string, options = "-newkey rsa:2048"): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "ats-test-tls-"));
  try {
    const made = Bun.spawnSync(
      [
        `openssl req -x509 ${options} -nodes -days 2 -keyout key.pem -out certificate.pem`,
        `-subj /CN=${name} -addext subjectAltName=DNS:${name},IP:127.0.0.1`,
      ]
        .join(" ")
        .split(" "),
      { cwd: folder },
    );
    if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr}`);
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    return { certificate: read("certificate.pem"), key: read("key.pem") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
