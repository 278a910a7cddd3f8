import { Type } from '../../rest/openapi/schema.ts'
import type { Description } from '../../rest/route.ts'

/** What every download can be asked with. */
export const downloadQuery = Type.Object({
  inline: Type.Optional(Type.String({ description: 'Show it in the browser instead of saving it, unless `false`' })),
  changeToken: Type.Optional(Type.String({ description: 'Whatever it is, the answer may be kept for a year' })),
})

/** How every download can end. */
export const downloadAnswers: Description['answers'] = {
  200: 'The bytes',
  206: 'The bytes of the range that was asked for',
  302: 'They are at the object store',
  304: 'The client has them already',
  403: 'May not be downloaded',
  404: 'There is no such document or file, or none that may be read',
  412: 'It is not what the conditions of the request ask for',
  416: 'The range starts beyond the end',
}
