import assert from 'node:assert/strict'
import type { AnswerBody, ApiCaller } from '../../src/testing.ts'

/** A group as clients send it. */
export const aGroup = (id: string, fields: object = {}): object => ({ 'entity-type': 'group', id, ...fields })

/** Creates a group that has to be there for what is tested. */
export async function createGroup(caller: ApiCaller, id: string, fields: object = {}): Promise<void> {
  const { status, text } = await caller.post('/group', aGroup(id, fields))
  assert.equal(status, 201, text)
}

/** The group with all that leads to others. */
export async function readGroup(caller: ApiCaller, id: string): Promise<AnswerBody> {
  const path = `/group/${encodeURIComponent(id)}?fetch.group=memberUsers,memberGroups,parentGroups`
  const { status, body, text } = await caller.get(path)
  assert.equal(status, 200, text)
  return body
}
