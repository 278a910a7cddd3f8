import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { type Client, createClient } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

interface Subscribed {
  readonly contextParameters?: { readonly subscribedNotifications?: readonly string[] }
}

onEachServer(
  'subscriptions with the published npm client',
  (server) => {
    let client: Client
    before(() => {
      client = createClient(server.url, 'Administrator')
    })

    test('subscribe, see the bell, and unsubscribe', async () => {
      const repository = client.repository()
      const body = { type: 'Workspace', name: 'watched', properties: { 'dc:title': 'Watched' } }
      const document = await repository.create('/default-domain/workspaces', body)
      const names = async () => {
        const fetched = (await client
          .repository()
          .enricher('document', 'subscribedNotifications')
          .fetch('/default-domain/workspaces/watched')) as unknown as Subscribed
        return fetched.contextParameters?.subscribedNotifications
      }
      assert.deepEqual(await names(), [])
      await client.operation('Document.Subscribe').input(document).execute()
      assert.equal((await names())?.includes('Modification'), true)
      await client.operation('Document.Unsubscribe').input(document).params({ notifications: 'Modification' }).execute()
      assert.equal((await names())?.includes('Modification'), false)
      await client.operation('Document.Unsubscribe').input(document).execute()
      assert.deepEqual(await names(), [])
    })
  },
  asTheOriginal,
)
