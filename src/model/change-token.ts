import { defineProblem } from '../base/problem.ts'

/** Two counters: `system` grows with every stored change, `user` only with changes that clients must notice. */
export interface ChangeToken {
  readonly system: number
  readonly user: number
}

export const firstChangeToken: ChangeToken = { system: 0, user: 0 }

export const changedMeanwhile = defineProblem('changedMeanwhile', 'conflict', (document: { id: string }) => document.id)

export function formatChangeToken(token: ChangeToken): string {
  return `${token.system}-${token.user}`
}

/** The token of a proxy: its own, then that of what it points to. */
export function formatProxyChangeToken(own: ChangeToken, target: ChangeToken): string {
  return `${formatChangeToken(own)}/${formatChangeToken(target)}`
}

/** The two halves of a proxy's token; the second is empty when there is only one. */
export function splitProxyChangeToken(sent: string): { readonly own: string; readonly target: string } {
  const [own = '', ...rest] = sent.split('/')
  return { own, target: rest.join('/') }
}

/** Only the part after the dash counts: background work raises the first one, and nobody's edit should fail for that. */
export function matchesChangeToken(sent: string, stored: ChangeToken): boolean {
  const parts = sent.split('-')
  return parts.length === 2 && parts[1] === String(stored.user)
}

export function nextChangeToken(token: ChangeToken, isUserChange: boolean): ChangeToken {
  return { system: token.system + 1, user: token.user + (isUserChange ? 1 : 0) }
}
