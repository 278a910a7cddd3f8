import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import type { Services } from '../../../rest/services.ts'
import { outboxSettings } from '../settings.ts'
import { type AddressCheck, createAddressCheck } from './allowed-address.ts'

/** Where events may be sent to, the same for every protocol. */
export interface NetworkRules {
  /** To which address a host may be connected to: to that very one. */
  checkAddress(host: string): Promise<AddressCheck>
  /** Whether nothing has to be encrypted on the way there. */
  isInsecure(host: string, port: number): boolean
  /** Certificates, in PEM, of all authorities that are trusted; undefined for those that Node.js knows. */
  readAuthorities(): Promise<readonly string[] | undefined>
}

export function networkRulesOf({ valuesOf }: Pick<Services, 'valuesOf'>): NetworkRules {
  const values = valuesOf(outboxSettings)
  const { notificationDeliveryInsecureHosts: hosts, notificationDeliveryCertificates: file } = values
  return {
    checkAddress: createAddressCheck({ allowed: values.notificationDeliveryAllowedAddresses }),
    isInsecure: (host, port) => hosts.includes(host) || hosts.includes(`${host}:${port}`),
    readAuthorities: async () => (file === undefined ? undefined : [...rootCertificates, await readFile(file, 'utf8')]),
  }
}
