import { createHash } from 'node:crypto'
import type { Ace } from '../../../model/rights/acl.ts'
import { storableJson } from '../../storable-text.ts'

type AceTuple = readonly [string, string, boolean, string | null, string | null, string | null]

/** Equal lists have equal texts, whatever order an object has its members in. */
export function textOfAces(aces: readonly Ace[]): string {
  return storableJson(aces.map((ace): AceTuple => [ace.username, ace.permission, ace.granted, ace.creator, ace.begin, ace.end]))
}

export function acesOfText(text: string): readonly Ace[] {
  const tuples = JSON.parse(text) as readonly AceTuple[]
  return tuples.map(([username, permission, granted, creator, begin, end]) => ({
    username,
    permission,
    granted,
    creator,
    begin,
    end,
  }))
}

export function hashOfAces(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
