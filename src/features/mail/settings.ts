import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'

export const mailSettings = defineSettings({
  smtpUrl: {
    type: 'url',
    protocols: ['smtp', 'smtps'],
    help: 'Server that mail is handed to: smtp://user@mail.example.org:587; without it mail goes to files in --mail-folder',
  },
  smtpPassword: { type: 'secret', help: 'Password of the user in --smtp-url' },
  mailFrom: {
    type: 'string',
    pattern: {
      matches: /^(?:[^<>@]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/,
      expected: 'an address, or a name with one: Quire <quire@example.org>',
    },
    help: 'Sender of all mail; needed with --smtp-url',
  },
  mailUrl: {
    type: 'url',
    protocols: ['http', 'https'],
    default: 'http://localhost:8080/',
    property: 'platform.url',
    help: 'Address of the server as people reach it, for the links in mails',
  },
  mailSubjectPrefix: {
    type: 'string',
    default: '[Platform]',
    property: 'platform.notification.eMailSubjectPrefix',
    help: 'What subjects of notifications begin with',
  },
  mailLanguage: {
    type: 'string',
    default: 'en',
    pattern: { matches: /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/, expected: 'a language such as en or fr' },
    help: 'Language of mails to people whose profile names none',
  },
  mailTemplates: {
    type: 'string',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder of mail templates that replace the built-in ones of the same names',
  },
  mailFolder: {
    type: 'string',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder that mail goes to as .eml files without --smtp-url; mail in --data unless told',
  },
  mailMaxRecipients: {
    type: 'integer',
    default: 500,
    min: 1,
    max: 10_000,
    help: 'Most addresses of one mail that a user writes, members of groups included',
  },
  mailMaxBytes: {
    type: 'bytes',
    default: '10 MiB',
    min: '1 KiB',
    max: '100 MiB',
    help: 'Most bytes of one mail that a user writes, attached files included',
  },
  mailMaxPerHour: {
    type: 'integer',
    default: 200,
    min: 1,
    help: 'Most mails that one user has sent to others in an hour, administrators excepted',
  },
})

export type MailValues = SettingValues<typeof mailSettings>
