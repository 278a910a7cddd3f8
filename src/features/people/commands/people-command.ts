import type { CommandContext } from '../../../command/command.ts'
import { defineSettings, type SettingsOf } from '../../../settings/define-settings.ts'

const passwordSettings = defineSettings({
  userPassword: { type: 'secret', help: 'The password to be set; without it the first line of standard input' },
})

const settings = [passwordSettings] as const

const shownSettings = ['data', 'databaseUrl', 'databaseSchema', 'logLevel', 'config'] as const

/** What all commands about users and groups read: the settings of the server beside which they may run. */
export const peopleCommand = { settings, shownSettings } as const

/** Of those that set a password. */
export const passwordCommand = {
  settings,
  shownSettings: [...shownSettings, 'userPassword'],
  notes: [
    'The password is read from QUIRE_USER_PASSWORD, else it is the first line of standard input, for which a terminal asks;\n' +
      'never from the command line, which every user of the machine can read.',
  ],
} as const

/** A call of such a command. */
export type PeopleCall<Options, Operands> = CommandContext<
  SettingsOf<typeof settings>,
  Options & { readonly json: boolean },
  Operands
>
