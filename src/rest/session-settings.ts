import { defineSettings, type SettingValues } from '../settings/define-settings.ts'

/** The session of a browser (contract: security 2.5), whichever part of the server sets its cookie. */
export const sessionSettings = defineSettings({
  sessionTimeout: {
    type: 'duration',
    default: '60m',
    bareUnit: 'm',
    min: '1s',
    property: 'session.timeout',
    help: 'Time after which an idle browser session ends',
  },
  sessionSameSite: {
    type: 'choice',
    choices: ['', 'Lax', 'Strict', 'None'],
    default: '',
    property: 'platform.server.cookies.sameSite',
    help: 'Attribute SameSite of the session cookie; empty leaves it out',
  },
})

export type SessionValues = SettingValues<typeof sessionSettings>

export const sessionCookieName = 'JSESSIONID'
