import assert from 'node:assert/strict'
import { groupDirectory, groupMembers, subGroups } from '../../src/core/directories/people.ts'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'

/** The `user` entity as a client sends it. */
export function aUser(username: string, properties: object = {}): object {
  return { 'entity-type': 'user', properties: { username, ...properties } }
}

export function aChange(properties: object, more: object = {}): object {
  return { 'entity-type': 'user', ...more, properties }
}

/** Stores a group without asking anybody whether it may be. */
export async function addGroup(
  server: TestServer,
  name: string,
  { label, users = [], groups = [] }: { label?: string; users?: readonly string[]; groups?: readonly string[] } = {},
): Promise<void> {
  await server.asSystem(async ({ tx, repository }) => {
    const definition = repository.directories.definitions.get(groupDirectory)
    assert.ok(definition)
    const values = { groupname: name, grouplabel: label ?? null }
    await tx.directories.insert(groupDirectory, storedEntry(definition, { id: name, values }))
    await tx.directories.replaceTargets(groupMembers, name, users)
    await tx.directories.replaceTargets(subGroups, name, groups)
  })
}

/** The status that these credentials get. */
export async function statusOfSignIn(server: TestServer, name: string, password: string): Promise<number> {
  return (await callWith(server, name, password, 'GET', '/me')).status
}

/** Calls the API with a password that is not the user's name. */
export function callWith(
  server: TestServer,
  name: string,
  password: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  return server.as(name).call(method, `api/v1${path}`, {
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export function assertRefused(answer: ApiAnswer, status: number, message: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual([answer.body['entity-type'], answer.body.status], ['exception', status])
  if (typeof message === 'string') assert.equal(answer.body.message, message)
  else assert.match(answer.body.message, message)
}
