import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../test/support/rendering.ts'
import { definePageProvider } from '../core/search/page-provider.ts'
import { requireSoundProviders } from './check-page-providers.ts'
import { definePlugin } from './define-plugin.ts'
import { gatherPlugins } from './gather-plugins.ts'

const broken = definePageProvider({ name: 'broken', sort: [{ column: 'dc:title, dc:created', isAscending: true }] })

describe('page providers of plugins', () => {
  test('that cannot work are refused with the name of the plugin', () => {
    const plugin = definePlugin({ name: 'invoices', pageProviders: [broken] })
    assert.throws(() => requireSoundProviders([plugin], builtinModel), {
      message: 'plugin invoices: page provider broken sorts by dc:title, dc:created, which is no column',
    })
  })

  test('that only remove another are not looked at', () => {
    const plugin = definePlugin({ name: 'invoices', pageProviders: [{ ...broken, enabled: false }] })
    assert.doesNotThrow(() => requireSoundProviders([plugin], builtinModel))
  })

  test('may have the name of an earlier one', () => {
    const provider = definePageProvider({ name: 'content' })
    const plugins = ['one', 'two'].map((name) => definePlugin({ name, pageProviders: [provider] }))
    assert.deepEqual(gatherPlugins(plugins).pageProviders, [provider, provider])
  })
})
