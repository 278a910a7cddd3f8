import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Model } from '../model/model.ts'
import { type ConsolePart, componentLists, consoleApiVersion } from '../rest/console/console-pieces.ts'
import {
  findConditionMistake,
  findLayoutMistake,
  findTextMistake,
  isRecord,
  nearestOf,
  type Unchecked,
} from './check-console-layouts.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** What plugins add to the console, with whose it is. */
export function consolePartsOf(plugins: readonly Pick<Plugin, 'name' | 'console'>[]): readonly ConsolePart[] {
  return plugins.flatMap(({ name: plugin, console: pieces }) => (pieces === undefined ? [] : [{ plugin, ...pieces }]))
}

const lists = ['layouts', ...componentLists]

/** Layouts name types, fields and permissions, which are known when everything is joined. @throws pluginMistake */
export function requireSoundConsole(plugins: readonly Pick<Plugin, 'name' | 'console'>[], model: Model): void {
  const layoutsOf = new Map<string, string>()
  for (const { name: plugin, console: pieces } of plugins) {
    if (pieces === undefined) continue
    const mistake = findConsoleMistake(plugin, pieces, { model, layoutsOf })
    if (mistake !== undefined) throw pluginMistake({ plugin, reason: mistake })
  }
}

interface KnownToConsole {
  readonly model: Model
  /** Whose layout a type has. */
  readonly layoutsOf: Map<string, string>
}

function findConsoleMistake(plugin: string, pieces: unknown, { model, layoutsOf }: KnownToConsole): string | undefined {
  if (!isRecord(pieces)) return `console must be an object with ${lists.join(', ')} and their folder`
  const strange = Object.keys(pieces).find((name) => name !== 'folder' && !lists.includes(name))
  if (strange !== undefined) return `console has ${strange}, which does not exist${nearestOf(strange, lists)}`
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(plugin))
    return 'must have a name in small letters, such as late-invoices, to add to the console'
  const given = new Map(lists.map((list) => [list, pieces[list] ?? []]))
  for (const [list, items] of given) {
    if (!Array.isArray(items)) return `console ${list} must be a list`
    const wrong = items.findIndex((item) => !isRecord(item))
    if (wrong !== -1) return `number ${wrong + 1} of its console ${list} is ${String(items[wrong])}, which is no definition`
  }
  const itemsOf = (list: string) => given.get(list) as readonly Unchecked[]
  const hasFiles = componentLists.some((list) => itemsOf(list).length > 0)
  const folderMistake = hasFiles ? findFolderMistake(pieces['folder']) : undefined
  if (folderMistake !== undefined) return folderMistake
  for (const list of componentLists) {
    const mistake = findListMistake(list.slice(0, -1), itemsOf(list), pieces['folder'] as URL, model)
    if (mistake !== undefined) return mistake
  }
  const widgets = itemsOf('widgets').map(({ name }) => String(name))
  for (const layout of itemsOf('layouts')) {
    const type = String(layout['type'])
    const other = layoutsOf.get(type)
    const mistake = other === undefined ? findLayoutMistake(layout, widgets, model) : `is contributed by ${other} already`
    if (mistake !== undefined) return `layout of ${type} ${mistake}`
    layoutsOf.set(type, plugin)
  }
  return undefined
}

const mostFiles = 500

/** Whatever lies there is sent to browsers, so that it must not be where a program lies. */
function findFolderMistake(folder: unknown): string | undefined {
  if (!(folder instanceof URL)) return "console has no folder for its files: give new URL('./console/', import.meta.url)"
  const path = fileURLToPath(folder)
  if (!folder.pathname.endsWith('/')) return `console has the folder ${path}, whose address must end with a slash`
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return `console has the folder ${path}, which is not there`
  const there = readdirSync(path)
  const program = ['package.json', 'node_modules', 'quire.config.ts', 'quire.config.js'].find((name) => there.includes(name))
  if (program !== undefined)
    return `console has the folder ${path}, in which ${program} is: all of it is sent to browsers, so give it a folder of its own`
  const names = readdirSync(path, { recursive: true })
  return names.length > mostFiles ? `console has the folder ${path} with more than ${mostFiles} files` : undefined
}

function findListMistake(singular: string, items: readonly Unchecked[], folder: URL, model: Model): string | undefined {
  const names = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const { name } = item
    if (typeof name !== 'string' || name === '') return `number ${index + 1} of its console ${singular}s has no name`
    const mistake = names.has(name) ? 'is there twice' : findComponentMistake(singular, item, folder, model)
    if (mistake !== undefined) return `console ${singular} ${name} ${mistake}`
    names.add(name)
  }
  return undefined
}

const further: { readonly [singular: string]: readonly string[] } = {
  widget: [],
  tab: ['label', 'when'],
  action: ['label', 'when'],
  page: ['label', 'groups'],
}

function findComponentMistake(singular: string, item: Unchecked, folder: URL, model: Model): string | undefined {
  const { name, file, apiVersion = 1, label, when, groups = [] } = item
  const known = ['name', 'file', 'apiVersion', ...(further[singular] ?? [])]
  const strange = Object.keys(item).find((key) => !known.includes(key))
  if (strange !== undefined) return `has ${strange}, which does not exist${nearestOf(strange, known)}`
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(String(name))) return 'must have a name in small letters, such as payment-progress'
  if (!Number.isSafeInteger(apiVersion) || (apiVersion as number) < 1)
    return 'has an apiVersion that is no whole number from 1 on'
  if ((apiVersion as number) > consoleApiVersion)
    return `is made for version ${String(apiVersion)} of what the console hands over, and this one has ${consoleApiVersion}`
  if (singular !== 'widget' && findTextMistake(label) !== undefined) return `has a label that ${findTextMistake(label)}`
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) return 'has groups that are no list of names'
  return findFileMistake(file, folder) ?? (when === undefined ? undefined : findConditionMistake(when, model))
}

function findFileMistake(file: unknown, folder: URL): string | undefined {
  if (typeof file !== 'string' || !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\.m?js$/.test(file))
    return `has the file ${String(file)}: name one of JavaScript in the folder, such as progress.js`
  const root = realpathSync(fileURLToPath(folder))
  const path = join(root, file)
  const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  return isThere && realpathSync(path).startsWith(`${root}${sep}`) ? undefined : `has the file ${file}, which is not in ${root}`
}
