import { type CommandFamily, defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { peopleCommand } from './people-command.ts'

const labelOptions = defineSettings({
  label: { type: 'string', help: 'What people read in place of the name' },
  description: { type: 'string', help: 'What the group is for' },
})

const group = { help: 'The group' } as const
const users = { help: 'Users', count: 'many' } as const
const groups = { help: 'Groups', count: 'many' } as const

// Loaded when one is called: help needs none of it.
const actions = () => import('./group-actions.ts')

/** Groups without a browser, beside a running server or without one. */
export const groupFamily: CommandFamily = {
  kind: 'family',
  name: 'group',
  summary: 'look after groups and who is in them',
  commands: {
    add: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group add',
        summary: 'add a group',
        operands: { group: { help: 'Name of the group' } },
        options: { ...labelOptions, ...jsonOption },
        run: async (call) => (await actions()).addGroup(call),
      }),
    change: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group change',
        summary: 'change the label or description of a group',
        operands: { group },
        options: { ...labelOptions, ...jsonOption },
        notes: ['What is not given stays as it is; an empty text removes what was there.'],
        run: async (call) => (await actions()).changeGroup(call),
      }),
    list: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group list',
        summary: 'list groups',
        operands: { term: { help: 'How the name or label begins; without it all are listed', count: 'optional' } },
        options: jsonOption,
        run: async (call) => (await actions()).listGroups(call),
      }),
    members: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group members',
        summary: 'list the users and groups in a group',
        operands: { group },
        options: jsonOption,
        run: async (call) => (await actions()).listMembers(call),
      }),
    'add-user': async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group add-user',
        summary: 'put users into a group',
        operands: { group, users },
        options: jsonOption,
        notes: ['All of them or none: one that does not exist stops the command.'],
        run: async (call) => (await actions()).addUsers(call),
      }),
    'remove-user': async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group remove-user',
        summary: 'take users out of a group',
        operands: { group, users },
        options: jsonOption,
        notes: ['All of them or none: one that does not exist stops the command.'],
        run: async (call) => (await actions()).removeUsers(call),
      }),
    'add-group': async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group add-group',
        summary: 'put groups into a group, with all their members',
        operands: { group, groups },
        options: jsonOption,
        run: async (call) => (await actions()).addGroups(call),
      }),
    'remove-group': async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group remove-group',
        summary: 'take groups out of a group',
        operands: { group, groups },
        options: jsonOption,
        run: async (call) => (await actions()).removeGroups(call),
      }),
    remove: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'group remove',
        summary: 'remove a group, whose members stay',
        operands: { group },
        options: jsonOption,
        run: async (call) => (await actions()).removeGroup(call),
      }),
  },
}
