import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineProblem } from '../../base/problem.ts'
import { type ParsedTemplate, parseTemplate, wrongTemplate } from './template.ts'

/** What makes a mail of one kind in one language. */
export interface MailTemplate {
  readonly language: string
  readonly subject: ParsedTemplate
  readonly text: ParsedTemplate
  /** Undefined: there is only text. */
  readonly html: ParsedTemplate | undefined
  /** What the HTML of all mails is put into. */
  readonly layout: ParsedTemplate | undefined
}

/** The templates of this deployment. They are read for each mail, so that a change of a file shows in the next one. */
export interface MailTemplates {
  /** In the first of the languages that there is one in. Undefined when there is none of that name. */
  find(name: string, languages: readonly string[]): Promise<MailTemplate | undefined>
}

export const templateFolderMissing = defineProblem(
  'templateFolderMissing',
  'invalid',
  (of: { folder: string }) => `mailTemplates: ${of.folder} cannot be read as a folder. Make it, or leave the setting out.`,
)

const builtinFolder = fileURLToPath(new URL('./data/mail/', import.meta.url))
const fileName = /^[A-Za-z][A-Za-z0-9-]{0,63}\.[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?\.(?:txt|html)$/
const templateName = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const layoutName = 'layout'
/** There is one of every built-in template. */
const lastLanguage = 'en'

export function isTemplateName(name: string): boolean {
  return templateName.test(name) && name !== layoutName
}

/** @throws templateFolderMissing, wrongTemplate where a file of the deployment is wrong */
export function createTemplates(given: string | undefined, defaultLanguage: string): MailTemplates {
  const own = given === undefined ? undefined : resolve(given)
  if (own !== undefined) checkFolder(own)
  const folders = own === undefined ? [builtinFolder] : [own, builtinFolder]
  return {
    async find(name, wanted) {
      if (!isTemplateName(name)) return undefined
      for (const language of withGeneralOnes([...wanted, defaultLanguage, lastLanguage])) {
        const text = await findFile(folders, `${name}.${language}.txt`)
        if (text !== undefined) return readTemplate(folders, name, language, text)
      }
      return undefined
    },
  }
}

/** `fr-CA` is content with `fr`. */
function withGeneralOnes(languages: readonly string[]): ReadonlySet<string> {
  return new Set(languages.flatMap((language) => [language, language.split('-')[0] ?? language]))
}

interface TemplateFile {
  readonly path: string
  readonly source: string
}

async function readTemplate(
  folders: readonly string[],
  name: string,
  language: string,
  { path, source }: TemplateFile,
): Promise<MailTemplate> {
  const html = await findFile(folders, `${name}.${language}.html`)
  const layout =
    (await findFile(folders, `${layoutName}.${language}.html`)) ?? (await findFile(folders, `${layoutName}.${lastLanguage}.html`))
  const parsed = (file: TemplateFile | undefined) => file && parseTemplate(file.path, file.source)
  return { language, ...parseTextFile(path, source), html: parsed(html), layout: parsed(layout) }
}

/** The first line is `Subject: …`, and what follows the empty line below it is the text. @throws wrongTemplate */
function parseTextFile(path: string, source: string): Pick<MailTemplate, 'subject' | 'text'> {
  const [, subject, text] = /^Subject:[ \t]*(\S[^\r\n]*)\r?\n[ \t]*\r?\n(.*)$/s.exec(source) ?? []
  if (subject === undefined || text === undefined)
    throw wrongTemplate({ file: path, line: 1, what: 'it must begin with "Subject: …" and an empty line' })
  return { subject: parseTemplate(path, subject), text: parseTemplate(path, text) }
}

async function findFile(folders: readonly string[], name: string): Promise<TemplateFile | undefined> {
  if (!fileName.test(name)) return undefined
  for (const folder of folders) {
    const path = join(folder, name)
    const source = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (source !== undefined) return { path, source }
  }
  return undefined
}

/** A mistake is found at the start, not with the first mail. */
function checkFolder(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!/\.(?:txt|html)$/.test(name)) continue
    const path = join(folder, name)
    if (!fileName.test(name))
      throw wrongTemplate({ file: path, line: 1, what: 'its name must be like aceGranted.en.txt or aceGranted.en.html' })
    const source = readFileSync(path, 'utf8')
    if (name.endsWith('.txt')) parseTextFile(path, source)
    else parseTemplate(path, source)
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    throw templateFolderMissing({ folder }, { cause })
  }
}
