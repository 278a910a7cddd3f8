import { defineProblem } from '../../base/problem.ts'

export const notATemplate = defineProblem(
  'notATemplate',
  'invalid',
  (of: { id: string }) => `${of.id} is no template. Name a live document with the facet Template that is not in the trash.`,
)

export const templateNotForType = defineProblem(
  'templateNotForType',
  'invalid',
  (of: { name: string; type: string }) =>
    `The template ${of.name.slice(0, 100)} is not for documents of the type ${of.type}: see its tmpl:applicableTypes.`,
)

/** Said alike of what is gone and of what the caller may not read. */
export const templateGone = defineProblem(
  'templateGone',
  'notFound',
  (of: { name: string }) =>
    `The template ${of.name.slice(0, 100)} that the document is bound to is not there, or you may not read it. Bind the document to another one.`,
)

export const notBound = defineProblem(
  'notBound',
  'notFound',
  (of: { id: string; name: string }) =>
    `${of.id} is bound to no template ${of.name.slice(0, 100)}. Bind it with TemplateProcessor.Attach, or call with attach.`,
)

export const unknownTemplate = defineProblem(
  'unknownTemplate',
  'notFound',
  (of: { name: string }) => `There is no template ${of.name.slice(0, 100)} that you may read.`,
)

export const severalTemplates = defineProblem(
  'severalTemplates',
  'conflict',
  (of: { name: string }) =>
    `Several templates are called ${of.name.slice(0, 100)}. Bind the document to one of them with TemplateProcessor.Attach.`,
)

export const templateNameTaken = defineProblem(
  'templateNameTaken',
  'conflict',
  (of: { name: string }) =>
    `The document is bound to another template ${of.name.slice(0, 100)}. Detach that first, or call one of them something else.`,
)

export const tooManyTemplates = defineProblem(
  'tooManyTemplates',
  'invalid',
  (of: { max: number }) => `A document is bound to at most ${of.max} templates. Detach one first.`,
)

export const noTemplateFile = defineProblem(
  'noTemplateFile',
  'unprocessable',
  (of: { id: string }) => `The template ${of.id} has no file. Store one in file:content.`,
)

export const nowhereToStore = defineProblem(
  'nowhereToStore',
  'invalid',
  (of: { id: string }) => `${of.id} has no place for a file. Call without store.`,
)

export const wouldReplaceTemplate = defineProblem(
  'wouldReplaceTemplate',
  'conflict',
  (of: { id: string }) => `The main file of ${of.id} is the template itself, which the result would replace. Call without store.`,
)

export const templateInUse = defineProblem(
  'templateInUse',
  'conflict',
  (of: { id: string }) =>
    `Documents are bound to the template ${of.id}. Call TemplateProcessor.Detach with it before you remove it, or move it to the trash.`,
)
