import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import { definePageProvider } from '../core/search/providers/page-provider.ts'
import { defineEntityProvider } from '../rest/entity-provider.ts'
import type { EntityProvider } from '../rest/services.ts'
import { requireSoundProviders } from './check-page-providers.ts'
import { definePlugin } from './define-plugin.ts'
import { gatherPlugins } from './gather-plugins.ts'

const broken = definePageProvider({ name: 'broken', sort: [{ column: 'dc:title, dc:created', isAscending: true }] })

describe('page providers of plugins', () => {
  test('that cannot work are refused with the name of the plugin', () => {
    const plugin = definePlugin({ name: 'invoices', pageProviders: [broken] })
    assert.throws(() => requireSoundProviders([plugin], gatherPlugins([plugin]), builtinModel), {
      message: 'plugin invoices: page provider broken sorts by dc:title, dc:created, which is no column',
    })
  })

  test('that only remove another are not looked at', () => {
    const plugin = definePlugin({ name: 'invoices', pageProviders: [{ ...broken, enabled: false }] })
    assert.doesNotThrow(() => requireSoundProviders([plugin], gatherPlugins([plugin]), builtinModel))
  })

  const tasks = defineEntityProvider({
    kind: 'entities',
    name: 'tasks',
    listType: 'tasks',
    entityType: 'task',
    list: async () => ({ values: [], total: 0 }),
  })
  const taskWriter = { entityType: 'task', write: async () => ({}) }
  const mistakes: readonly [what: string, provider: EntityProvider, message: string][] = [
    ['that no writer can show', { ...tasks, entityType: 'chore' }, 'tasks lists chore, which no entity writer shows'],
    ['with half a page', { ...tasks, pageSize: 0.5 }, 'tasks has a page size that is no whole number from 0 on'],
  ]
  for (const [what, provider, message] of mistakes) {
    test(`that list entities ${what} are refused`, () => {
      const plugin = definePlugin({ name: 'tasks', entityWriters: [taskWriter], pageProviders: [provider] })
      assert.throws(() => requireSoundProviders([plugin], gatherPlugins([plugin]), builtinModel), {
        message: `plugin tasks: page provider ${message}`,
      })
    })
  }

  test('that list entities which another plugin shows are fine', () => {
    const showing = definePlugin({ name: 'showing', entityWriters: [taskWriter] })
    const listing = definePlugin({ name: 'listing', pageProviders: [tasks] })
    assert.doesNotThrow(() => requireSoundProviders([listing], gatherPlugins([listing, showing]), builtinModel))
  })

  test('may have the name of an earlier one', () => {
    const provider = definePageProvider({ name: 'content' })
    const plugins = ['one', 'two'].map((name) => definePlugin({ name, pageProviders: [provider] }))
    assert.deepEqual(gatherPlugins(plugins).pageProviders, [provider, provider])
  })
})
