import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { createPermissionTable } from './permission.ts'

const table = builtinModel.permissions

describe('a built-in permission is granted by exactly', () => {
  const readers = ['Read', 'ReadRemove', 'ReadWrite', 'ReadCanCollect', 'DataVisualization', 'ManageRecord']
  const writers = ['Write', 'ReadWrite', 'ManageRecord']
  const removers = ['Remove', 'ReadRemove', ...writers]
  const rows: { [permission: string]: readonly string[] } = {
    Browse: ['ReadProperties', ...readers],
    ReadProperties: readers,
    ReadChildren: readers,
    ReadLifeCycle: readers,
    ReadSecurity: readers,
    ReviewParticipant: readers,
    ReadVersion: ['Version', ...readers],
    Read: readers.slice(1),
    WriteProperties: ['WriteVersion', 'Version', 'ReadCanCollect', ...writers],
    WriteVersion: ['Version', ...writers],
    AddChildren: writers,
    RemoveChildren: removers,
    WriteLifeCycle: ['Comment', ...removers],
    Remove: ['ReadRemove', ...writers],
    ManageWorkflows: writers,
    Write: ['ReadWrite', 'ManageRecord'],
    ReadWrite: ['ManageRecord'],
    ManageRecord: [],
    ReadRemove: [],
    Version: [],
    Comment: [],
    ReadCanCollect: [],
    DataVisualization: [],
    Unlock: [],
    WriteSecurity: [],
    MakeRecord: ['ManageRecord'],
    SetRetention: ['ManageRecord'],
    UnsetRetention: ['ManageRecord'],
    ManageLegalHold: [],
    CanAskForPublishing: [],
    Moderate: [],
  }
  for (const [permission, compounds] of Object.entries(rows)) {
    test(`${permission}: itself, Everything${compounds.map((name) => `, ${name}`).join('')}`, () =>
      assert.deepEqual(table.grantedBy(permission), new Set([permission, 'Everything', ...compounds])))
  }
  test('RestrictedRead: itself', () => assert.deepEqual(table.grantedBy('RestrictedRead'), new Set(['RestrictedRead'])))
  test('Everything: itself', () => assert.deepEqual(table.grantedBy('Everything'), new Set(['Everything'])))
  test('the table above names them all', () =>
    assert.deepEqual([...Object.keys(rows), 'RestrictedRead', 'Everything'].sort(), [...table.names].sort()))
})

test('a name that is not registered is granted by itself and Everything', () => {
  assert.deepEqual(table.grantedBy('Fly'), new Set(['Fly', 'Everything']))
})

test('permissions that include each other are granted by each other', () => {
  const circular = createPermissionTable([
    { name: 'A', includes: ['B'] },
    { name: 'B', includes: ['A'] },
  ])
  assert.deepEqual(circular.grantedBy('A'), new Set(['Everything', 'A', 'B']))
})

test('atomic permissions are named before those that include others, whichever plugin contributed them', () => {
  const { names } = createPermissionTable([
    { name: 'A', includes: [] },
    { name: 'AB', includes: ['A', 'B'] },
    { name: 'B', includes: [] },
    { name: 'AA', includes: ['A'] },
  ])
  assert.deepEqual(names, ['A', 'B', 'AB', 'AA'])
})

test('visible permissions come in the order of their numbers', () => {
  const offered = (type: string) =>
    table.visible.filter((one) => one.types === '*' || one.types.includes(type)).map((one) => one.name)
  const keeping = ['ManageRecord', 'ManageLegalHold']
  assert.deepEqual(offered('File'), ['Read', 'ReadWrite', ...keeping, 'Everything'])
  assert.deepEqual(offered('Collection'), ['Read', 'ReadCanCollect', 'ReadWrite', ...keeping, 'Everything'])
  assert.deepEqual(offered('Section'), ['Read', 'ReadWrite', ...keeping, 'Everything', 'CanAskForPublishing'])
  assert.deepEqual(offered('DocumentRoute'), ['Read', 'DataVisualization', 'ReadWrite', ...keeping, 'Everything'])
})
