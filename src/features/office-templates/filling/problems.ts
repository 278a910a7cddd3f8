import { defineProblem } from '../../../base/problem.ts'

/** Where in the template something is wrong. */
export interface MarkPlace {
  readonly part: string
  readonly near: string
}

export const officeFileDamaged = defineProblem(
  'officeFileDamaged',
  'unprocessable',
  (of: { reason: string }) => `The template cannot be filled in. ${of.reason}`,
)

const mostOf = {
  bytes: 'A template has at most 20 MB, and 100 MB once it is unpacked',
  elements: 'Its text is longer or nested deeper than a template may be',
  marks: 'A template has at most 20,000 placeholders, and 4,000 beginnings and ends of lists and conditions',
  pictures: 'Pictures for a template have at most 20 MB each',
} as const

export const templateTooLarge = defineProblem(
  'templateTooLarge',
  'tooLarge',
  (of: { what: keyof typeof mostOf }) => `The template is too much to be filled in. ${mostOf[of.what]}.`,
)

export const wrongOfficeTemplate = defineProblem(
  'wrongOfficeTemplate',
  'invalid',
  (of: MarkPlace & { what: string }) =>
    `The template is wrong at “${of.near.slice(0, 60)}” in ${of.part.slice(0, 100)}: ${of.what}.`,
)

export const pictureUnusable = defineProblem(
  'pictureUnusable',
  'unprocessable',
  (of: { parameter: string; mimeType: string | null }) =>
    `The picture of the parameter ${of.parameter} is ${of.mimeType ?? 'of no type'}. Only PNG, JPEG and GIF can stand in an office file.`,
)
