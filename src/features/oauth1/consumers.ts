import type { DirectoryEntry, DirectoryReader } from '../../store/directories.ts'
import { consumerDirectory } from './oauth1-model.ts'

/** A program that signs its requests. */
export interface Oauth1Consumer {
  readonly key: string
  readonly secret: string
  readonly publicKey: string | undefined
  readonly callbackUrl: string | undefined
  readonly description: string | undefined
  /** In whose name it may act without having been let by a user. */
  readonly signedFetchSupport: string | undefined
  readonly dedicatedLogin: string | undefined
  readonly mayBypassVerifier: boolean
}

/** Undefined also when it is disabled. */
export async function findConsumer(directories: DirectoryReader, key: string): Promise<Oauth1Consumer | undefined> {
  const entry = await directories.find(consumerDirectory, key)
  return entry === undefined || entry.values['enabled'] === false ? undefined : consumerOf(entry)
}

function consumerOf({ id: key, values }: DirectoryEntry): Oauth1Consumer {
  const text = (field: string) => (typeof values[field] === 'string' && values[field] !== '' ? values[field] : undefined)
  return {
    key,
    secret: text('consumerSecret') ?? '',
    publicKey: text('publicKey'),
    callbackUrl: text('callbackURL'),
    description: text('description'),
    signedFetchSupport: text('signedFetchSupport'),
    dedicatedLogin: text('dedicatedLogin'),
    mayBypassVerifier: values['allowBypassVerifier'] === true,
  }
}

/**
 * The user for whom a request without a token is answered; undefined where the consumer may have none.
 * @param vendored the word that stands for "the one user of this consumer"
 */
export function findSignedUser(
  consumer: Pick<Oauth1Consumer, 'signedFetchSupport' | 'dedicatedLogin'>,
  parameters: readonly (readonly [name: string, value: string])[],
  ownUser: string,
): string | undefined {
  const sent = (name: string) => parameters.find(([one]) => one === name)?.[1] || undefined
  switch (consumer.signedFetchSupport) {
    case undefined:
    case 'none':
      return undefined
    case ownUser:
      return consumer.dedicatedLogin
    case 'opensocial:viewer':
      return sent('opensocial_viewer_id')
    case 'opensocial:owner':
      return sent('opensocial_owner_id')
    default:
      return consumer.signedFetchSupport
  }
}
