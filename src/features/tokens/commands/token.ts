import { type CommandFamily, defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'

const shownSettings = ['data', 'databaseUrl', 'databaseSchema', 'tokenSecret', 'logLevel', 'config'] as const

const bindingOptions = defineSettings({
  application: { type: 'string', help: 'The program that tokens are for' },
  deviceId: { type: 'string', help: 'The device that the program runs on' },
})

// Loaded when one is called: help needs none of it.
const actions = () => import('./token-actions.ts')

/** Tokens without a browser, beside a running server or without one. */
export const tokenFamily: CommandFamily = {
  kind: 'family',
  name: 'token',
  summary: 'look after the tokens by which programs sign in',
  commands: {
    add: async () =>
      defineCommand({
        shownSettings,
        name: 'token add',
        summary: 'print the token of a user for a program on a device, and make it where there is none',
        operands: { user: { help: 'The user whom the program acts for' } },
        options: {
          ...bindingOptions,
          permission: { type: 'string', default: 'rw', help: 'What the program needs; nothing enforces it' },
          deviceDescription: { type: 'string', help: 'What a person knows the device by' },
          ...jsonOption,
        },
        notes: ['Whoever reads the token can act as the user, until it is revoked: it has no end of its own.'],
        run: async (call) => (await actions()).addToken(call),
      }),
    list: async () =>
      defineCommand({
        shownSettings,
        name: 'token list',
        summary: 'list tokens by their ids, newest first',
        operands: { user: { help: 'Whose tokens; without it those of all users', count: 'optional' } },
        options: { ...bindingOptions, ...jsonOption },
        notes: ['An id is the digest of a token: it revokes the token, and signs nobody in.'],
        run: async (call) => (await actions()).printTokens(call),
      }),
    revoke: async () =>
      defineCommand({
        shownSettings,
        name: 'token revoke',
        summary: 'revoke tokens, which no request is let in by from then on',
        operands: { token: { help: 'The token or its id', count: 'optional' } },
        options: {
          user: { type: 'string', help: 'All tokens of this user' },
          ...bindingOptions,
          all: { type: 'boolean', default: false, help: 'All tokens of all users' },
          ...jsonOption,
        },
        notes: ['Name a token, or say which by --user, --application and --device-id, all of which must hold, or --all.'],
        run: async (call) => (await actions()).revoke(call),
      }),
    rotate: async () =>
      defineCommand({
        shownSettings,
        name: 'token rotate',
        summary: 'make new tokens from another secret',
        options: {
          forgetOlder: {
            type: 'boolean',
            default: false,
            help: 'Forget the secrets in the database that older tokens came from: such a token stays valid, but who asks for it gets a new one in its place',
          },
          ...jsonOption,
        },
        run: async (call) => (await actions()).rotate(call),
      }),
  },
}
