import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Client, createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

interface ClientLog {
  readonly entries: readonly { readonly 'entity-type': string; readonly eventId: string; readonly category: string | null }[]
  readonly currentPageSize: number
}

interface AuditedDocument {
  fetchAudit(query?: object): Promise<ClientLog>
}

onEachServer(
  'the audit log with the published npm client',
  (server) => {
    let client: Client
    before(() => {
      client = createClient(server.url, 'Administrator')
    })
    const created = async (name: string) => {
      const repository = client.repository()
      const document = await repository.create('/default-domain/workspaces', {
        type: 'File',
        name,
        properties: { 'dc:title': name },
      })
      return { document, repository }
    }

    test('fetchAudit gives what happened to a document, by event, category and page', async () => {
      const { document } = await created('audited')
      await document.set({ 'dc:title': 'changed' }).save()
      const audited = document as unknown as AuditedDocument
      const all = await audited.fetchAudit()
      assert.deepEqual(
        all.entries.map(({ eventId }) => eventId),
        ['documentModified', 'documentCreated'],
      )
      const filtered = await audited.fetchAudit({ eventId: 'documentCreated', category: 'eventDocumentCategory' })
      assert.equal(filtered.entries.length, 1)
      assert.equal((await audited.fetchAudit({ pageSize: 1, currentPageIndex: 1 })).entries[0]?.eventId, 'documentCreated')
    })

    test('the page of the administrator finds what an operation has logged', async () => {
      const { document } = await created('logged')
      await client.operation('Audit.LogEvent').input(document).params({ event: 'looked', comment: 'well' }).execute()
      const query = client.operation('Audit.QueryWithPageProvider')
      const params = { providerName: 'EVENTS_VIEW', namedQueryParams: { eventIds: 'looked' }, currentPageIndex: 0, pageSize: 5 }
      const page = (await query.params(params).execute()) as unknown as ClientLog
      assert.equal(page.currentPageSize, page.entries.length)
      assert.deepEqual(
        page.entries.map((entry) => [entry['entity-type'], entry.eventId, entry.category]),
        [['logEntry', 'looked', 'Automation']],
      )
    })

    test('sign-ins have the category that the original has', async () => {
      const query = client.operation('Audit.QueryWithPageProvider')
      const page = (await query.params({ namedQueryParams: { eventIds: 'loginSuccess' } }).execute()) as unknown as ClientLog
      assert.equal(page.entries[0]?.category, 'NuxeoAuthentication')
    })
  },
  asTheOriginal,
)
