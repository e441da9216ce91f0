/** A key and a certificate of one's own, made for a test: nobody trusts it but who is told to. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TlsIdentity {
  readonly key: Buffer;
  readonly cert: Buffer;
}

export function tlsIdentity(host: string): TlsIdentity {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-tls-'));
  const paths = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', ...made, ...named, '-keyout', paths.key, '-out', paths.cert], { stdio: 'ignore' });
  const identity = { key: readFileSync(paths.key), cert: readFileSync(paths.cert) };
  rmSync(folder, { recursive: true });
  return identity;
}
