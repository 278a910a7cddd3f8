import type { TestServer } from '../../src/testing.ts'
import { type Answered, requireStatus } from './workbench.ts'

/** The ids of the entries that decide about a document, by the name of their list, as `@acl` shows them to an administrator. */
export async function readAclIds(server: TestServer, uid: string): Promise<{ readonly [name: string]: readonly string[] }> {
  const { acl } = requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@acl`))
  return Object.fromEntries(acl.map(({ name, ace }: Answered) => [name, ace.map(({ id }: Answered) => id)]))
}

/** What every document below the workspaces inherits from the root. */
export const inheritedFromRoot = ['Administrator:Everything:true:::', 'members:Read:true:::']
