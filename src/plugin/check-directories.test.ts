import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import { defineDirectory } from '../core/directories/directory-definition.ts'
import { requireSoundDirectories } from './check-directories.ts'
import { definePlugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

const model = builtinModel
const departments = definePlugin({ name: 'departments', directories: [defineDirectory('department', { schema: 'vocabulary' })] })
const belowDepartments = defineDirectory('costCentre', { schema: 'xvocabulary', parentDirectory: 'department' })

describe('the directories of plugins', () => {
  test('may refer to those of others', () => {
    requireSoundDirectories([definePlugin({ name: 'costs', directories: [belowDepartments] }), departments], model)
  })

  test('are refused with plugin, name and reason when they refer to what is not there', () => {
    assert.throws(
      () => requireSoundDirectories([definePlugin({ name: 'costs', directories: [belowDepartments] })], model),
      (error: Error) =>
        pluginMistake.is(error) &&
        error.message === 'plugin costs: directory costCentre has the unknown parentDirectory department',
    )
  })
})
