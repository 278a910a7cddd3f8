import assert from 'node:assert/strict'
import { repeating, repeatTarget } from '../../src/core/documents/proxies/proxy.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import type { Document } from '../../src/model/document.ts'
import { type Ace, type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { aStoredProxy } from './stored-document.ts'

/** An entity as it was answered; tests look into it freely. */
export type Answered = ApiAnswer['body']

type Headers = { readonly [name: string]: string }

export const workspaces = '/default-domain/workspaces'

/** The documents of a test server as the administrator works on them. What is refused fails the test that asked for it. */
export interface Workbench {
  /** Below the workspaces and under a name of its own, unless told. */
  create(type: string, properties?: object, options?: { parent?: string; name?: string; headers?: Headers }): Promise<Answered>
  read(uid: string, headers?: Headers): Promise<Answered>
  readProperties(uid: string): Promise<Answered>
  update(uid: string, properties: object, headers?: Headers): Promise<Answered>
  /** Changes what no client can: flags, locks, facets, values that nobody checks. */
  change(uid: string, fields: Partial<Document>): Promise<void>
  /** Puts a proxy to a document or version into a folder and gives its id. */
  createProxy(folder: string, target: string, name?: string): Promise<string>
  /** Publishes a document into a folder and gives the ids of what is there now and of the version that it shows. */
  publish(uid: string, folder: string): Promise<{ proxy: string; version: string }>
  setAcls(uid: string, acls: readonly Acl[]): Promise<void>
  /** Lets nobody near the document but administrators and those the entries name. */
  restrict(uid: string, ...aces: readonly Ace[]): Promise<void>
}

export function workbenchOn(server: TestServer): Workbench {
  let made = 0
  const administrator = () => server.as('Administrator')

  async function findRow(uid: string): Promise<Document> {
    const found = await server.asSystem((session) => session.tx.documents.find(uid))
    assert.ok(found, `there is a document ${uid}`)
    return found
  }

  const workbench: Workbench = {
    async create(type, properties = {}, { parent = workspaces, name = `${type.toLowerCase()}-${++made}`, headers } = {}) {
      const body = { 'entity-type': 'document', type, name, properties }
      return requireStatus(201, await administrator().post(`/path${parent}`, body, headers))
    },
    read: async (uid, headers) => requireStatus(200, await administrator().get(`/id/${uid}`, headers)),
    readProperties: async (uid) => (await workbench.read(uid, { properties: '*' })).properties,
    async update(uid, properties, headers) {
      const body = { 'entity-type': 'document', properties }
      return requireStatus(200, await administrator().put(`/id/${uid}`, body, headers))
    },
    change: (uid, fields) =>
      server.asSystem(async (session) => {
        const { documents } = session.tx
        const before = await documents.findForUpdate(uid)
        assert.ok(before, `there is a document ${uid}`)
        const after = { ...before, ...fields }
        assert.ok(await documents.update(before, after), `${uid} can be changed`)
        await repeatTarget(session, after, await session.tx.documents.listProxyIds(after.id))
      }),
    async createProxy(folder, target, name = `proxy-${++made}`) {
      const [parent, shown] = [await findRow(folder), await findRow(target)]
      const proxy = aStoredProxy(parent, name, shown)
      await server.asSystem(({ model, tx }) => tx.documents.insert(repeating(model, proxy, shown)))
      return proxy.id
    },
    async publish(input, target) {
      const call = { input, params: { target } }
      const { uid } = requireStatus(200, await administrator().post('/automation/Document.PublishToSection', call))
      return { proxy: uid, version: String((await findRow(uid)).targetId) }
    },
    setAcls: (uid, acls) =>
      server.asSystem(async (session) => {
        await setAcls(session, uid, acls)
      }),
    restrict: (uid, ...aces) =>
      workbench.setAcls(uid, [
        { name: 'local', aces: [...aces, grant('administrators', 'Everything'), deny('Everyone', 'Everything')] },
      ]),
  }
  return workbench
}

/** The answer's body, provided that the status is the expected one. */
export function requireStatus(status: number, answer: ApiAnswer): Answered {
  assert.equal(answer.status, status, answer.text)
  return answer.body
}
