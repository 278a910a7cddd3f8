import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type DeclaredAnswers, declaredAnswersOf } from '../support/declared-answers.ts'
import { aDocument, changesTo, inFull } from '../support/sent-documents.ts'
import { beginBatch } from '../support/uploads.ts'
import { workbenchOn, workspaces } from '../support/workbench.ts'

const user = (username: string) => ({
  'entity-type': 'user',
  id: username,
  properties: { username, password: username, groups: ['members'] },
})
const group = (groupname: string) => ({
  'entity-type': 'group',
  groupname,
  grouplabel: 'Readers',
  memberUsers: ['Administrator'],
})
const entry = (id: string) => ({
  'entity-type': 'directoryEntry',
  directoryName: 'nature',
  properties: { id, label: id, ordering: 1 },
})
const search = (title: string) => ({ 'entity-type': 'savedSearch', title, query: 'SELECT * FROM File', queryLanguage: 'NXQL' })

const everyEnricher = builtinPlugins
  .flatMap(({ enrichers = [] }) => enrichers)
  .filter(({ entityType }) => entityType === 'document')
  .map(({ name }) => name)
  .concat('acls', 'documentURL')
  .join(',')

const notes = nxql('SELECT * FROM Note')

const rows: readonly Row[] = [
  [200, 'GET', '/path/'],
  [200, 'GET', `/path${workspaces}`, undefined, inFull],
  [200, 'GET', '/id/<file>', undefined, { ...inFull, 'fetch-document': 'properties', 'enrichers-blob': 'appLinks' }],
  [200, 'GET', '/id/<locked>', undefined, { ...inFull, 'enrichers-document': everyEnricher, 'fetch-acls': 'extended,username' }],
  [200, 'GET', `/path${workspaces}`, undefined, { ...inFull, 'enrichers-document': everyEnricher }],
  [200, 'GET', '/id/<version>', undefined, inFull],
  [200, 'GET', '/id/<proxy>', undefined, inFull],
  [201, 'POST', `/path${workspaces}`, aDocument({ type: 'Folder', name: 'box' })],
  [200, 'PUT', `/path${workspaces}/box`, changesTo({ 'dc:title': 'Box' }), inFull],
  [400, 'PUT', `/path${workspaces}/box`, changesTo({ 'dc:subjects': 1 })],
  [400, 'POST', `/path${workspaces}`, aDocument({ type: 'Nothing', name: 'x' })],
  [200, 'GET', `/path${workspaces}/@children`],
  [200, 'GET', `/path${workspaces}/@children?pageSize=1&currentPageIndex=1`, undefined, inFull],
  [200, 'GET', `/path${workspaces}/@search?fullText=words`],
  [200, 'GET', `/path${workspaces}/@pp/tree_children`],
  [200, 'GET', `/path${workspaces}/@emptyWithDefault?type=File&name=new`, undefined, inFull],
  [200, 'GET', '/id/<file>/@acl'],
  [200, 'GET', '/id/<file>/@blob/file:content'],
  [204, 'DELETE', `/path${workspaces}/box`],
  [200, 'GET', '/bulk;id=<file>;id=<locked>', undefined, inFull],
  [200, 'PUT', '/bulk;id=<file>', changesTo({ 'dc:source': 'y' })],
  [404, 'GET', '/path/nowhere'],
  [406, 'GET', '/id/<file>', undefined, { accept: 'text/html' }],

  [200, 'GET', `/search/execute?query=${nxql('SELECT * FROM Document')}&pageSize=3`],
  [200, 'GET', `/search/lang/NXQL/execute?query=${notes}`],
  [400, 'GET', `/search/execute?query=${nxql('SELECT FROM')}`],
  [200, 'GET', '/search/pp/default_search/execute?system_fulltext=words', undefined, { 'fetch-aggregate': 'key' }],
  [200, 'GET', '/search/pp/default_search'],
  [200, 'GET', '/search/pp/tree_children'],
  [200, 'GET', '/search/saved'],
  [200, 'GET', '/search/saved/<saved>', undefined, inFull],
  [200, 'PUT', '/search/saved/<saved>', search('Theirs')],
  [200, 'GET', '/search/saved/<saved>/execute'],
  [404, 'GET', '/search/pp/none/execute'],
  [200, 'GET', `/query?query=${notes}`],
  [202, 'POST', `/search/bulk/setProperties?query=${notes}`, { 'dc:source': 'z' }],
  [200, 'GET', '/bulk/<command>'],

  [200, 'GET', '/me'],
  [200, 'GET', '/me?enrichers.user=userprofile'],
  [201, 'POST', '/user', user('carol')],
  [200, 'GET', '/user/carol'],
  [200, 'PUT', '/user/carol', { ...user('carol'), properties: { firstName: 'Carol' } }],
  [200, 'GET', '/user/search?q=*'],
  [404, 'GET', '/user/nobody'],
  [409, 'POST', '/user', user('carol')],
  [201, 'POST', '/group', group('readers')],
  [200, 'GET', '/group/readers?fetch.group=memberUsers,memberGroups,parentGroups'],
  [200, 'GET', '/group/search?q=*'],
  [200, 'GET', '/group/readers/@users'],
  [200, 'GET', '/group/readers/@groups'],
  [201, 'POST', '/group/readers/user/carol'],
  [200, 'DELETE', '/group/readers/user/carol'],
  [204, 'DELETE', '/group/readers'],
  [204, 'DELETE', '/user/carol'],

  [200, 'GET', '/directory'],
  [200, 'GET', '/directory/continent?pageSize=2'],
  [200, 'GET', '/directory/country/France?fetch.directoryEntry=parent&translate.directoryEntry=label'],
  [201, 'POST', '/directory/nature', entry('sketch')],
  [200, 'PUT', '/directory/nature/sketch', entry('sketch')],
  [204, 'DELETE', '/directory/nature/sketch'],
  [404, 'GET', '/directory/nowhere'],

  [200, 'GET', '/config/types'],
  [200, 'GET', '/config/types/File?fetch.schema=fields'],
  [200, 'GET', '/config/schemas'],
  [200, 'GET', '/config/schemas/dublincore?fetch.schema=fields'],
  [200, 'GET', '/config/facets'],
  [200, 'GET', '/config/facets/Commentable'],
  [404, 'GET', '/config/types/Nothing'],

  [200, 'GET', '/automation'],
  [200, 'GET', '/automation/Document.Create'],
  [200, 'GET', '/automation/Document.Create/yaml'],
  [200, 'POST', '/automation/login'],
  [200, 'POST', '/automation/Document.GetChildren', { input: workspaces, params: {} }],
  [200, 'POST', '/automation/Repository.Query', { params: { query: 'SELECT * FROM Note', pageSize: 2 } }],
  [200, 'POST', '/automation/Repository.ResultSetQuery', { params: { query: 'SELECT ecm:uuid FROM Note' } }],
  [200, 'POST', '/automation/Document.Update', { input: '<locked>', params: { properties: { 'dc:title': 'x' } } }],
  [400, 'POST', '/automation/Document.Update', { input: '<locked>', params: { properties: { 'dc:subjects': 'none' } } }],
  [204, 'POST', '/automation/Document.GetParent', { input: '/', params: {} }],
  [204, 'POST', '/automation/Log', { params: { level: 'info', message: 'hello' } }],
  [400, 'POST', '/automation/Document.Create', { input: workspaces, params: {} }],
  [404, 'POST', '/automation/Nothing.There', { params: {} }],

  [201, 'POST', '/upload'],
  [200, 'GET', '/upload/handlers'],
  [200, 'GET', '/upload/<batch>'],
  [200, 'GET', '/upload/<batch>/info'],
  [200, 'GET', '/upload/<batch>/0'],
  [404, 'GET', '/upload/none/0'],
  [404, 'POST', '/upload/none/0'],
  [400, 'POST', '/upload/<batch>/first'],

  [200, 'GET', '/capabilities'],
  [200, 'GET', '//json/cmis'],
  [200, 'GET', '//runningstatus'],
  [200, 'DELETE', '/management/blobs/orphaned?dryRun=true'],
  [200, 'GET', '/management/tokens'],
  [404, 'DELETE', '/management/tokens/nosuch'],
  [200, 'GET', '/management/oauth2/grants'],
  [404, 'DELETE', '/management/oauth2/grants/9'],
  [200, 'GET', '/management/sessions'],
  [404, 'DELETE', '/management/sessions/nosuch'],
  [200, 'GET', '/openapi.json'],
  [200, 'GET', '/doc'],
  [200, 'GET', '//icons/pdf.png'],
]

// One engine is enough: what is stored alike is shown alike.
describe('answers', () => {
  let server: TestServer
  let declared: DeclaredAnswers
  /** What the calls are about. */
  const about = { file: '', locked: '', version: '', proxy: '', batch: '', saved: '', command: '' }

  before(async () => {
    server = await startTestServer()
    const administrator = server.as('Administrator')
    declared = declaredAnswersOf((await administrator.get('/openapi.json')).body)
    const bench = workbenchOn(server)
    about.file = (await bench.create('File', { 'dc:title': 'Plan' }, { name: 'plan' })).uid
    about.locked = (await bench.create('Note', { 'note:note': 'some words', 'dc:creator': 'Administrator' })).uid
    await administrator.post('/automation/Document.Lock', { input: about.locked, params: {} })
    about.version = (await administrator.post('/automation/Document.CreateVersion', { input: about.file, params: {} })).body.uid
    about.proxy = await bench.createProxy((await bench.create('Folder')).uid, about.version)
    const batch = await beginBatch(server)
    await batch.send(0, 'some text', { 'x-file-name': 'some.txt', 'x-file-type': 'text/plain' })
    about.batch = batch.id
    about.saved = (await administrator.post('/search/saved', search('Mine'))).body.id
    const started = await administrator.post(`/search/bulk/setProperties?query=${nxql('SELECT * FROM Note')}`, {
      'dc:source': 'x',
    })
    about.command = started.body.commandId
    await administrator.put(
      `/id/${about.file}`,
      changesTo({ 'file:content': { 'upload-batch': batch.id, 'upload-fileId': '0' } }),
      { 'x-batch-no-drop': 'true' },
    )
  })
  after(() => server.stop())

  async function ask(method: string, path: string, body?: string, headers: SentHeaders = {}): Promise<number> {
    const address = path.startsWith('//') ? path.slice(2) : `api/v1${path}`
    const sent = body === undefined ? { headers } : { headers: { 'content-type': 'application/json', ...headers }, body }
    const answer = await server.as('Administrator').call(method, address, sent)
    const lie = declared.findLie(method, address, answer)
    assert.equal(lie, undefined, `${method} ${path} ${answer.status}: ${lie}`)
    return answer.status
  }

  const filled = (text: string) => text.replace(/<(\w+)>/g, (_, name: keyof typeof about) => about[name])

  describe('are as they are declared:', () => {
    for (const [status, method, path, body, headers] of rows) {
      test(`${status} for ${method} ${path}`, async () => {
        const sent = body === undefined ? undefined : filled(JSON.stringify(body))
        assert.equal(await ask(method, filled(path), sent, headers), status)
      })
    }
  })
})

test('an answer that is not as it is declared is found out', () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const get = { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } }
  const declared = declaredAnswersOf({ paths: { '/thing/{id}': { get } }, components: { schemas: {} } })
  const lieIn = (status: number, body: unknown, type = 'application/json') =>
    declared.findLie('GET', 'thing/x', { status, headers: new Headers({ 'content-type': type }), text: JSON.stringify(body) })
  assert.equal(lieIn(200, { id: 'x' }), undefined)
  assert.match(lieIn(200, { id: 1 }) ?? '', /must be string/)
  assert.match(lieIn(200, {}) ?? '', /required property 'id'/)
  assert.match(lieIn(200, { id: 'x', name: 'y' }) ?? '', /additional properties/)
  assert.match(lieIn(201, { id: 'x' }) ?? '', /201 is not declared/)
  assert.match(lieIn(200, { id: 'x' }, 'text/html') ?? '', /comes as text\/html/)
})

type SentHeaders = { readonly [name: string]: string }

type Row = readonly [
  status: number,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: SentHeaders,
]

function nxql(query: string): string {
  return encodeURIComponent(query)
}
