import { memoised } from '../../base/cache/memo.ts'
import { defineProblem } from '../../base/problem.ts'
import { isScalar as isScalarType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { entity } from '../../rest/answer.ts'
import {
  type ConsoleComponent,
  type ConsoleCondition,
  type ConsoleLayout,
  type ConsolePage,
  type ConsolePart,
  type ConsoleText,
  columnOf,
  consoleApiVersion,
  consoleWidths,
  fieldOf,
} from '../../rest/console/console-pieces.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { createPieceFolder } from './piece-files.ts'

const textSchema = Type.Object({ en: Type.String(), fr: Type.String() }, { $id: 'ConsoleText' })

const conditionSchema = Type.Ref<ConsoleCondition>('ConsoleCondition')
const names = Type.Union([Type.String(), Type.Array(Type.String())])
const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** Data, of which nothing is ever run. */
const condition = Type.Union(
  [
    Type.Object({ type: names }),
    Type.Object({ facet: Type.String() }),
    Type.Object({ state: names }),
    Type.Object({ permission: Type.String() }),
    Type.Object({ field: Type.String(), is: Type.Union([value, Type.Array(value)]) }),
    Type.Object({ field: Type.String(), isSet: Type.Boolean() }),
    Type.Object({ all: Type.Array(conditionSchema) }),
    Type.Object({ any: Type.Array(conditionSchema) }),
    Type.Object({ not: conditionSchema }),
  ],
  { $id: 'ConsoleCondition', description: 'What has to hold of a document' },
)

const layoutSchema = Type.Object(
  {
    plugin: Type.String(),
    types: Type.Array(Type.String(), { description: 'The type and those that extend it and have no layout of their own' }),
    groups: Type.Array(
      Type.Object({
        label: textSchema,
        fields: Type.Array(
          Type.Object({
            field: Type.String(),
            label: Type.Optional(textSchema),
            hint: Type.Optional(textSchema),
            width: Type.Enum(consoleWidths),
            widget: Type.Optional(Type.String({ description: 'Of the same plugin' })),
            when: Type.Optional(condition),
          }),
        ),
        when: Type.Optional(conditionSchema),
      }),
    ),
    columns: Type.Array(
      Type.Object({
        field: Type.String(),
        schema: Type.String({ description: 'Asked for in lists, so that they have it' }),
        label: Type.Optional(textSchema),
        width: Type.Integer({ description: 'In pixels' }),
        isSortable: Type.Boolean(),
      }),
    ),
  },
  { $id: 'ConsoleLayout' },
)

const componentFields = {
  plugin: Type.String(),
  name: Type.String(),
  address: Type.String({ description: 'Of the file, below the address of the server' }),
  apiVersion: Type.Integer({ description: 'Of what it was made to be handed' }),
}
const widgetSchema = Type.Object(componentFields, { $id: 'ConsoleWidget' })
const placedFields = { ...componentFields, label: textSchema, when: Type.Optional(conditionSchema) }
const placedSchema = Type.Object(placedFields, { $id: 'ConsolePlacedComponent' })
const pageSchema = Type.Object({ ...componentFields, label: textSchema }, { $id: 'ConsolePage' })

const piecesSchema = Type.Object(
  {
    'entity-type': Type.Literal('consolePieces'),
    apiVersion: Type.Integer({ description: 'Of what components are handed' }),
    layouts: Type.Array(layoutSchema),
    widgets: Type.Array(widgetSchema),
    tabs: Type.Array(placedSchema),
    actions: Type.Array(placedSchema),
    pages: Type.Array(pageSchema),
  },
  { $id: 'ConsolePieces' },
)

const folderOf = memoised((folder: URL) => createPieceFolder(folder))

/** What plugins add, as the console is told it: for whom they ask it, with all that it needs to know and cannot ask. */
async function describePieces(
  parts: readonly ConsolePart[],
  model: Model,
  principal: Pick<Principal, 'groups' | 'isAdministrator'>,
): Promise<Static<typeof piecesSchema>> {
  const owned = new Set(parts.flatMap(({ layouts = [] }) => layouts.map(({ type }) => type)))
  const described = await Promise.all(
    parts.map(async ({ plugin, folder, layouts = [], widgets = [], tabs = [], actions = [], pages = [] }) => {
      const version = folder === undefined ? '' : await folderOf(folder).version()
      const component = ({ name, file, apiVersion = 1 }: ConsoleComponent) => ({
        plugin,
        name,
        address: `ui/pieces/${plugin}/${version}/${file}`,
        apiVersion,
      })
      const placed = (one: ConsoleComponent & { readonly label: ConsoleText; readonly when?: ConsoleCondition }) => ({
        ...component(one),
        label: inLanguages(one.label),
        ...(one.when && { when: withSubtypes(one.when, model) }),
      })
      return {
        layouts: layouts.map((layout) => ({ plugin, ...describeLayout(layout, owned, model) })),
        widgets: widgets.map(component),
        tabs: tabs.map(placed),
        actions: actions.map(placed),
        pages: pages
          .filter((page) => isFor(page, principal))
          .map((page) => ({ ...component(page), label: inLanguages(page.label) })),
      }
    }),
  )
  return {
    'entity-type': 'consolePieces',
    apiVersion: consoleApiVersion,
    layouts: described.flatMap(({ layouts }) => layouts),
    widgets: described.flatMap(({ widgets }) => widgets),
    tabs: described.flatMap(({ tabs }) => tabs),
    actions: described.flatMap(({ actions }) => actions),
    pages: described.flatMap(({ pages }) => pages),
  }
}

function describeLayout({ type, groups = [], columns = [] }: ConsoleLayout, owned: ReadonlySet<string>, model: Model) {
  return {
    types: ownTypes(type, owned, model),
    groups: groups.map(({ label, fields, when }) => ({
      label: inLanguages(label),
      fields: fields.map(fieldOf).map(({ label: name, hint, width = 'full', when: shown, ...field }) => ({
        ...field,
        width,
        ...(name && { label: inLanguages(name) }),
        ...(hint && { hint: inLanguages(hint) }),
        ...(shown && { when: withSubtypes(shown, model) }),
      })),
      ...(when && { when: withSubtypes(when, model) }),
    })),
    columns: columns.map(columnOf).map(({ field, label, width = 140 }) => ({
      field,
      schema: model.findProperty(field)?.schema.name ?? '',
      width,
      isSortable: isScalar(field, model),
      ...(label && { label: inLanguages(label) }),
    })),
  }
}

function isScalar(field: string, model: Model): boolean {
  const type = model.findProperty(field)?.field.type
  return type !== undefined && isScalarType(type)
}

/** The type, and those below it until one has a layout of its own. */
function ownTypes(type: string, owned: ReadonlySet<string>, model: Model): readonly string[] {
  const others = [...owned].filter((one) => one !== type && model.typesExtending(type).includes(one))
  const theirs = new Set(others.flatMap((one) => model.typesExtending(one)))
  return model.typesExtending(type).filter((one) => !theirs.has(one))
}

/** The console does not know which type extends which. */
function withSubtypes(given: ConsoleCondition, model: Model): ConsoleCondition {
  if ('type' in given) return { type: [...new Set([given.type].flat().flatMap((type) => model.typesExtending(type)))] }
  if ('all' in given) return { all: given.all.map((one) => withSubtypes(one, model)) }
  if ('any' in given) return { any: given.any.map((one) => withSubtypes(one, model)) }
  return 'not' in given ? { not: withSubtypes(given.not, model) } : given
}

function inLanguages(text: ConsoleText): Static<typeof textSchema> {
  return typeof text === 'string' ? { en: text, fr: text } : { en: text.en, fr: text.fr ?? text.en }
}

function isFor({ groups }: ConsolePage, principal: Pick<Principal, 'groups' | 'isAdministrator'>): boolean {
  return groups === undefined || principal.isAdministrator || groups.some((group) => principal.groups.includes(group))
}

const noSuchPiece = defineProblem(
  'noSuchConsolePiece',
  'notFound',
  (of: { plugin: string; file: string }) =>
    `The plugin ${of.plugin.slice(0, 100)} brings no file ${of.file.slice(0, 100)} for the console.`,
)

export const pieceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/console',
    operationId: 'getConsolePieces',
    under: 'api',
    summary: 'What plugins add to the console: layouts, widgets, tabs, actions and pages',
    answers: { 200: piecesSchema },
    async handle({ services, repository, principal }) {
      return entity('consolePieces', await describePieces(services.consoleParts, repository.model, principal))
    },
  },
  defineRoute({
    method: 'GET',
    path: '/ui/pieces/{plugin}/{version}/{file+}',
    operationId: 'getConsolePieceFile',
    under: 'server',
    summary: 'Files that a plugin brings for the console',
    headers: Type.Object({ 'If-None-Match': downloadHeaders['If-None-Match'] }),
    answers: { 200: bytesAnswer('The file'), 304: 'the client has it already', 404: 'there is no such file' },
    async handle({ services }, { plugin = '', version = '', file = '' }, { headers }) {
      const folder = services.consoleParts.find((part) => part.plugin === plugin)?.folder
      const found = folder && (await folderOf(folder).find({ version, file, etag: headers['If-None-Match'] }))
      if (found === undefined) throw noSuchPiece({ plugin, file })
      return found
    },
  }),
]
