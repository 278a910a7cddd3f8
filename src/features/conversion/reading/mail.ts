import { readFile } from 'node:fs/promises'
import { escapeHtml } from '../../../base/html/escape-html.ts'
import { htmlToText } from '../../../base/html/html-text.ts'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'
import { requireSoundCompoundFile } from './compound-file.ts'
import { harmlessHtml, htmlTable, preformatted } from './html-page.ts'

/** A letter, whichever program stored it. */
export interface Mail {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string | undefined
  readonly html: string | undefined
  readonly attachments: readonly string[]
}

const maxNesting = 50

/** @throws ConversionRefusal */
export async function readMail(path: string): Promise<Mail> {
  const { default: PostalMime } = await import('postal-mime')
  const bytes = await readFile(path)
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: maxNesting }).catch((cause) => {
    throw new ConversionRefusal('It is damaged, or not what its type says.', { cause })
  })
  const addresses = (all: readonly Named[] | undefined) => (all ?? []).map(addressOf).join(', ')
  return {
    headers: given([
      ['From', addresses(mail.from && [mail.from])],
      ['To', addresses(mail.to)],
      ['Cc', addresses(mail.cc)],
      ['Date', mail.date ?? ''],
      ['Subject', mail.subject ?? ''],
    ]),
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments.flatMap(({ filename }) => filename ?? []),
  }
}

interface Named {
  readonly name?: string
  readonly address?: string | undefined
}

function addressOf({ name = '', address = '' }: Named): string {
  return name === '' ? address : address === '' ? name : `${name} <${address}>`
}

/** A letter of Outlook. @throws ConversionRefusal */
export async function readOutlookMail(path: string): Promise<Mail> {
  const { default: MsgReader } = await import('@kenjiuno/msgreader')
  const bytes = await readFile(path)
  // The reader goes round in a chain that comes back to itself until its time is up.
  requireSoundCompoundFile(bytes)
  const Reader = ('default' in MsgReader ? MsgReader.default : MsgReader) as unknown as new (
    bytes: ArrayBuffer,
  ) => {
    getFileData(): OutlookFields
  }
  const fields = new Reader(Uint8Array.from(bytes).buffer).getFileData()
  if (fields.error !== undefined) throw new ConversionRefusal('It is damaged, or not what its type says.')
  const { recipients = [], attachments = [] } = fields
  return {
    headers: given([
      ['From', addressOf({ name: fields.senderName ?? '', address: fields.senderSmtpAddress ?? fields.senderEmail ?? '' })],
      [
        'To',
        recipients
          .map(({ name = '', smtpAddress, email }) => addressOf({ name, address: smtpAddress ?? email ?? '' }))
          .join(', '),
      ],
      ['Date', fields.messageDeliveryTime ?? fields.clientSubmitTime ?? ''],
      ['Subject', fields.subject ?? ''],
    ]),
    text: fields.body,
    html: fields.bodyHtml,
    attachments: attachments.flatMap(({ fileName, name }) => fileName ?? name ?? []),
  }
}

interface OutlookFields {
  readonly error?: string
  readonly subject?: string
  readonly senderName?: string
  readonly senderEmail?: string
  readonly senderSmtpAddress?: string
  readonly messageDeliveryTime?: string
  readonly clientSubmitTime?: string
  readonly body?: string
  readonly bodyHtml?: string
  readonly recipients?: readonly { readonly name?: string; readonly email?: string; readonly smtpAddress?: string }[]
  readonly attachments?: readonly { readonly fileName?: string; readonly name?: string }[]
}

function given(headers: Mail['headers']): Mail['headers'] {
  return headers.filter(([, value]) => value !== '')
}

export function mailToText({ headers, text, html, attachments }: Mail): string {
  const body = text ?? (html === undefined ? '' : htmlToText(html))
  return [...headers.map(([name, value]) => `${name}: ${value}`), '', body, '', ...attachments].join('\n')
}

export async function mailToHtml({ headers, text, html, attachments }: Mail): Promise<string> {
  const body = html === undefined ? preformatted(text ?? '') : await harmlessHtml(html)
  const names = attachments.map((name) => `<li>${escapeHtml(name)}</li>`)
  const list = names.length === 0 ? '' : `\n<ul>${names.join('')}</ul>`
  return `${htmlTable(headers)}\n${body}${list}`
}
