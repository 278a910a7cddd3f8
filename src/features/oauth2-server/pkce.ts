import { hash } from 'node:crypto'
import { isSameText } from '../../base/same-text.ts'

/** By what a program proves that it is the one that asked for a code (RFC 7636). */
export interface CodeChallenge {
  readonly challenge: string
  readonly method: ChallengeMethod
}

const methods = ['plain', 'S256'] as const
type ChallengeMethod = (typeof methods)[number]

export function isChallengeMethod(text: string): text is ChallengeMethod {
  return methods.some((method) => method === text)
}

export function isVerifier({ challenge, method }: CodeChallenge, verifier: string): boolean {
  return isSameText(method === 'plain' ? verifier : hash('sha256', verifier, 'base64url'), challenge)
}
