import { Type } from '../../rest/openapi/schema.ts'

/** What every download can be asked with. */
export const downloadQuery = Type.Object({
  inline: Type.Optional(Type.String({ description: 'Show it in the browser instead of saving it, unless `false`' })),
  changeToken: Type.Optional(Type.String({ description: 'Whatever it is, the answer may be kept for a year' })),
})
