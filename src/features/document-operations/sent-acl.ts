import type { SentProperties } from '../../automation/values/words.ts'
import { stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { changeAcls } from '../../core/documents/rights/change-acls.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Ace, grant, localAclName } from '../../model/rights/acl.ts'
import { withAcl } from '../../model/rights/acl-change.ts'

export const aclNotReadable = defineProblem(
  'aclNotReadable',
  'invalid',
  (of: { text: string }) => `Write ecm:acl as user:permission:true, with commas between the entries, not as ${of.text}.`,
)

const aclKey = 'ecm:acl'

/** Of sent properties those that are properties, and the entries that are to be the local ACL. @throws aclNotReadable */
export function splitLocalAcl(sent: SentProperties): { localAcl?: readonly Ace[]; properties: SentProperties } {
  const { [aclKey]: acl, ...properties } = sent
  return acl === undefined ? { properties } : { properties, localAcl: parseAces(acl ?? '') }
}

function parseAces(json: SentProperties[string]): readonly Ace[] {
  if (typeof json !== 'string') throw aclNotReadable({ text: stringifyJson(json).slice(0, 200) })
  return json
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseAce)
}

function parseAce(text: string): Ace {
  const [, user, permission, granted] = /^(.+):([^:]+):(true|false)$/.exec(text) ?? []
  if (user === undefined || permission === undefined) throw aclNotReadable({ text })
  return grant(user, permission, { granted: granted === 'true' })
}

/** Gives the document this local ACL and leaves its others. @throws privilegeMissing without WriteSecurity */
export function setLocalAcl(session: WriteSession, { id }: Document, aces: readonly Ace[]): Promise<Document> {
  return changeAcls(session, id, ({ acls }) => ({ acls: withAcl(acls, localAclName, aces) }))
}
