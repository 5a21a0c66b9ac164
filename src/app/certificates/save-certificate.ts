import type { Certificate } from '../../evidence/certificate/certificate.ts';
import { writeCertificate } from '../../evidence/certificate/read-certificate.ts';
import { saveFile } from '../kit/layout/save-file.ts';

/** Downloads a certificate as a file of its own. */
export function saveCertificate(certificate: Certificate): void {
  saveFile('certificate.json', new Blob([writeCertificate(certificate)], { type: 'application/json' }));
}
