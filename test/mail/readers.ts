import type { TestServer } from '../../src/testing.ts'
import { requireStatus } from '../support/workbench.ts'

/** A user with an address, and whatever else is said. The password is the name. */
export async function addReader(
  server: TestServer,
  name: string,
  properties: { readonly [field: string]: string } = {},
): Promise<void> {
  await server.addUser(name, ['members'])
  const user = { 'entity-type': 'user', id: name, properties: { email: `${name}@example.org`, ...properties } }
  requireStatus(200, await server.as('Administrator').put(`/user/${encodeURIComponent(name)}`, user))
}
