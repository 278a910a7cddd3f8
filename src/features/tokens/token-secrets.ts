import { lastMoment } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import { tokenSettings } from './settings.ts'
import { newTokenSecret } from './token-text.ts'

/** Where secrets are that no setting gives: in the database, so that all processes and servers have the same. */
const key = 'tokens/secrets'

/**
 * The secrets by which tokens can be told again, for a session where directories live: those of the setting, then those that the
 * database keeps. The first makes new tokens; there is none only where no token was ever made.
 */
export async function listTokenSecrets(session: Session, services: Pick<Services, 'valuesOf'>): Promise<readonly string[]> {
  return [...configuredSecrets(services), ...(await listStored(session))]
}

/** The same, and makes the first where there is none. */
export async function readTokenSecrets(session: WriteSession, services: Pick<Services, 'valuesOf'>): Promise<readonly string[]> {
  const secrets = await listTokenSecrets(session, services)
  return secrets.length > 0 ? secrets : storeSecrets(session, [newTokenSecret()])
}

/**
 * From now on tokens are made by another secret; those that there are stay valid. Where the older secrets are forgotten, a token that
 * they made cannot be told again: who asks for it gets a new one in its place.
 */
export async function rotateTokenSecret(
  session: WriteSession,
  services: Pick<Services, 'valuesOf'>,
  { forgetsOlder }: { readonly forgetsOlder: boolean },
): Promise<void> {
  // Where a setting says which secret makes new tokens, only what the database keeps beside it can be forgotten.
  const added = configuredSecrets(services).length === 0 ? [newTokenSecret()] : []
  await storeSecrets(session, forgetsOlder ? added : [...added, ...(await listStored(session))])
}

export function configuredSecrets({ valuesOf }: Pick<Services, 'valuesOf'>): readonly string[] {
  const { tokenSecret = '' } = valuesOf(tokenSettings)
  return tokenSecret.split(/\s+/).filter((secret) => secret !== '')
}

async function listStored({ reader, now }: Session): Promise<readonly string[]> {
  const stored = await reader.transient.find(key, now)
  return Array.isArray(stored) ? stored.filter((secret: Json) => typeof secret === 'string') : []
}

async function storeSecrets({ tx }: WriteSession, secrets: readonly string[]): Promise<readonly string[]> {
  await tx.transient.set(key, [...secrets], lastMoment)
  return secrets
}
