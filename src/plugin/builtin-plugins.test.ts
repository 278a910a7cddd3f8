import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinPlugins } from '../builtin-plugins.ts'
import { createModel } from '../model/model.ts'
import { requireSoundContributions } from './check-contributions.ts'
import { requireSoundProviders } from './check-page-providers.ts'
import { requireSoundWorkflows } from './check-workflows.ts'
import { gatherPlugins } from './gather-plugins.ts'

test('the built-in plugins have no mistake of which a start would tell others', () => {
  const contributions = gatherPlugins(builtinPlugins)
  const model = createModel(contributions)
  assert.doesNotThrow(() => requireSoundProviders(builtinPlugins, contributions, model))
  assert.doesNotThrow(() => requireSoundContributions(builtinPlugins, contributions, model))
  assert.doesNotThrow(() => requireSoundWorkflows(builtinPlugins, builtinPlugins))
})
