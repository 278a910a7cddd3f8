import { type CommandFamily, defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { passwordCommand, peopleCommand } from './people-command.ts'

const profileOptions = defineSettings({
  firstName: { type: 'string', help: 'First name' },
  lastName: { type: 'string', help: 'Last name' },
  company: { type: 'string', help: 'Company' },
  email: { type: 'string', help: 'E-mail address' },
  groups: { type: 'list', help: 'The groups the user is in, and in no others' },
})

const named = (help: string) => ({ name: { help } }) as const

// Loaded when one is called: help needs none of it.
const actions = () => import('./user-actions.ts')

/** Users without a browser, beside a running server or without one. */
export const userFamily: CommandFamily = {
  kind: 'family',
  name: 'user',
  summary: 'look after users',
  commands: {
    add: async () =>
      defineCommand({
        ...passwordCommand,
        name: 'user add',
        summary: 'add a user',
        operands: named('Name to sign in with'),
        options: {
          ...profileOptions,
          withoutPassword: {
            type: 'boolean',
            default: false,
            help: 'Set no password: nobody can sign in with the name before one is set',
          },
          ...jsonOption,
        },
        run: async (call) => (await actions()).addUser(call),
      }),
    change: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'user change',
        summary: 'change what is known about a user',
        operands: named('The user'),
        options: { ...profileOptions, ...jsonOption },
        notes: ['What is not given stays as it is; an empty text removes what was there.'],
        run: async (call) => (await actions()).changeUser(call),
      }),
    password: async () =>
      defineCommand({
        ...passwordCommand,
        name: 'user password',
        summary: 'set the password of a user',
        operands: named('The user'),
        options: jsonOption,
        run: async (call) => (await actions()).setPassword(call),
      }),
    list: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'user list',
        summary: 'list users',
        operands: { term: { help: 'How the user, first or last name begins; without it all are listed', count: 'optional' } },
        options: jsonOption,
        run: async (call) => (await actions()).listUsers(call),
      }),
    show: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'user show',
        summary: 'show a user with all groups',
        operands: named('The user'),
        options: jsonOption,
        run: async (call) => (await actions()).showUser(call),
      }),
    remove: async () =>
      defineCommand({
        ...peopleCommand,
        name: 'user remove',
        summary: 'remove a user, whose documents stay',
        operands: named('The user'),
        options: jsonOption,
        run: async (call) => (await actions()).removeUser(call),
      }),
  },
}
