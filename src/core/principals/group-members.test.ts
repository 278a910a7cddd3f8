import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DirectoryReader } from '../../store/directories.ts'
import { groupMembers, subGroups } from '../directories/people.ts'
import { listAllMembers, withGroupsBelow } from './group-members.ts'

const listed: { readonly [reference: string]: { readonly [group: string]: readonly string[] } } = {
  [groupMembers]: { staff: ['ann'], nights: ['bob', 'ann'], days: ['cid'] },
  [subGroups]: { staff: ['nights'], nights: ['days', 'staff'] },
}
const directories = {
  listTargets: async (reference: string, group: string) => listed[reference]?.[group] ?? [],
} as Partial<DirectoryReader> as DirectoryReader

describe('groups in a circle', () => {
  test('are below each other, each once', async () => {
    assert.deepEqual(await withGroupsBelow(directories, ['staff']), ['staff', 'nights', 'days'])
  })
  test('have the members of all of them, each once', async () => {
    assert.deepEqual(await listAllMembers(directories, ['nights', 'unknown']), ['bob', 'ann', 'cid'])
  })
})
