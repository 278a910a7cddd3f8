import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import type { Session } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { basicHeader, openEventStream } from '../support/event-stream.ts'
import { builtinModel } from '../support/model/builtin-model.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** Whatever the entries say, only its author reads what is called a diary. */
const diaries = definePlugin({
  name: 'diaries',
  securityPolicies: [
    {
      name: 'diaries',
      order: 50,
      decide: ({ principal }, { properties }, permission) =>
        permission === 'Read' && properties['dc:title'] === 'diary' && properties['dc:creator'] !== principal.name
          ? 'deny'
          : undefined,
    },
  ],
})

onEachServer(
  'live events where a policy decides who reads',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('ann', ['members']))

    test('are not told of what it denies, nor of the end of what it would have been asked about', async () => {
      const stream = await openEventStream(server.url, basicHeader('ann'))
      const hidden = await bench.create('File', { 'dc:title': 'diary' })
      const shown = await bench.create('File', { 'dc:title': 'report' })
      await bench.update(hidden.uid, { 'dc:description': 'secret' })
      await bench.update(shown.uid, { 'dc:description': 'public' })
      requireStatus(204, await server.as('Administrator').delete(`/id/${hidden.uid}`))
      const last = await bench.create('File', { 'dc:title': 'last' })
      await stream.until(({ data }) => data.documentId === last.uid)
      const heard = stream.heard.map(({ data }) => data.documentId)
      assert.ok(!heard.includes(hidden.uid))
      assert.deepEqual(heard.filter((uid) => uid === shown.uid).length, 2)
      stream.close()
    })
  },
  { plugins: [diaries] },
)

test('policies that say that they leave reading alone do', () => {
  const principal = createPrincipal('ann', [], { isAdministrator: false })
  const session = {
    principal,
    model: builtinModel,
    repository: { rules: {} },
    now: '2031-01-01T00:00:00.000Z',
  } as unknown as Session
  const guarded = { lock: { owner: 'bob', created: '2031-01-01T00:00:00.000Z' }, hasLegalHold: true, retainUntil: '2032-01-01' }
  const granting = builtinModel.permissions.grantedBy('Read')
  const policies = builtinPlugins.flatMap(({ securityPolicies = [] }) => securityPolicies)
  assert.ok(policies.length > 0)
  for (const policy of policies.filter(({ leavesReading }) => leavesReading))
    for (const type of builtinModel.types.keys()) {
      const document = { ...guarded, type, facets: [], properties: {}, isProxy: false } as unknown as Document
      assert.equal(policy.decide(session, document, 'Read', granting), undefined, `${policy.name} on ${type}`)
    }
})
