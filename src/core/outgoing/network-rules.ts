import { readFile } from 'node:fs/promises'
import type { ValuesOf } from '../../settings/define-settings.ts'
import { type AddressCheck, createAddressCheck } from './allowed-address.ts'
import { networkSettings } from './network-settings.ts'

/** Whom the server may call by itself, the same for every protocol. */
export interface NetworkRules {
  /** To which address a host may be connected to: to that very one. */
  checkAddress(host: string): Promise<AddressCheck>
  /** Whether nothing has to be encrypted on the way there. */
  isInsecure(host: string, port: number): boolean
  /** Certificates, in PEM, of all authorities that are trusted; undefined for those that Node.js knows. */
  readAuthorities(): Promise<readonly string[] | undefined>
}

export function networkRulesOf({ valuesOf }: { readonly valuesOf: ValuesOf }): NetworkRules {
  const values = valuesOf(networkSettings)
  const { notificationDeliveryInsecureHosts: hosts, notificationDeliveryCertificates: file } = values
  return {
    checkAddress: createAddressCheck({ allowed: values.notificationDeliveryAllowedAddresses }),
    isInsecure: (host, port) => hosts.includes(host) || hosts.includes(`${host}:${port}`),
    readAuthorities: async () => (file === undefined ? undefined : [...knownAuthorities(), await readFile(file, 'utf8')]),
  }
}

/** Those of Node.js, whose TLS is loaded by who needs it: most servers never do. */
function knownAuthorities(): readonly string[] {
  return process.getBuiltinModule('node:tls').rootCertificates
}
