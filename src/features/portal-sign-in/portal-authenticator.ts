import { defineProblem } from '../../base/problem.ts'
import type { Principals } from '../../core/principals/principals.ts'
import { useOnce } from '../../core/principals/used-once.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import type { Services } from '../../rest/services.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { findProvenUser, type PortalProof, type PortalRules } from './portal-proof.ts'
import type { portalSettings } from './settings.ts'

const portalSecretMissing = defineProblem(
  'portalSecretMissing',
  'invalid',
  (_: object) =>
    'a chain names PORTAL_AUTH, and there is no portalSecret: set it to what the portal has, or leave PORTAL_AUTH out',
)

/** So much of a name that was sent is told to listeners and the log. */
const maxShownName = 200

/** Lets in for whom a portal vouches that has the secret (contract: security 2.8). */
export function createPortalAuthenticator(values: SettingValues<typeof portalSettings>, services: Services): Authenticator {
  const { portalSecret: secret = '', portalDigestAlgorithm: digest, portalMaxAge: maxAgeMillis, portalAllowsReplay } = values
  const rules: PortalRules = { secret, digest, maxAgeMillis }

  async function identifyBy(proof: PortalProof, principals: Principals): Promise<Identity> {
    const name = findProvenUser(rules, proof, Date.now())
    if (name === undefined || !(await isFirstUse(proof))) return { kind: 'refused', name: proof.user.slice(0, maxShownName) }
    return identifyUser(name, principals)
  }

  async function isFirstUse({ timestamp, random, user }: PortalProof): Promise<boolean> {
    if (portalAllowsReplay) return true
    return useOnce(services.directories.store, 'portal', [timestamp, random, user], Number(timestamp) + maxAgeMillis)
  }

  return {
    name: 'PORTAL_AUTH',
    checkSettings() {
      if (secret.trim() === '') throw portalSecretMissing({})
    },
    identify(request, principals) {
      const proof = findProof(request)
      return proof === undefined ? { kind: 'none' } : identifyBy(proof, principals)
    },
    // It was in time, and is used.
    async identifyAgain(request, principals) {
      const proof = findProof(request)
      const name = proof && findProvenUser({ ...rules, maxAgeMillis: Number.POSITIVE_INFINITY }, proof, Date.now())
      return name === undefined ? { kind: 'none' } : identifyUser(name, principals)
    },
  }
}

async function identifyUser(name: string, principals: Principals): Promise<Identity> {
  const principal = await principals.lookUp(name)
  return principal === undefined ? { kind: 'refused', name } : { kind: 'known', principal }
}

/** All four headers, or it is not the portal that asks. */
function findProof({ headers }: CredentialRequest): PortalProof | undefined {
  const { nx_ts: timestamp, nx_rd: random, nx_user: user, nx_token: token } = headers
  const parts = [timestamp, random, user, token]
  if (!parts.every((part) => typeof part === 'string' && part !== '')) return undefined
  return { timestamp, random, user, token } as PortalProof
}
