import type { TestServer } from '../../src/testing.ts'
import { teamName } from './tree.ts'

/** Who asks: ordinary users, who have their rights through groups. The password is the name. */
export const reader = { name: 'bench-reader', groups: ['members', teamName(0), teamName(1)] }
export const editorsGroup = 'bench-editors'
export const editor = { name: 'bench-editor', groups: ['members', editorsGroup] }

export async function addPeople(server: TestServer): Promise<void> {
  for (const { name, groups } of [reader, editor]) await server.addUser(name, groups)
}
