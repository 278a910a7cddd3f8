import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'

/**
 * Has LibreOffice convert a file into what the option `format` says. Its profile belongs to the process in which conversions run one
 * after another: programs with one profile get in each other's way.
 */
const sofficeWork: ConverterWork = async ({ run, source, folder, options, target }) => {
  const profile = join(homedir(), 'soffice-profile')
  await writeProfile(profile)
  const out = join(folder, 'out')
  await mkdir(out)
  await run('soffice', [
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--nodefault',
    '--nolockcheck',
    ...(typeof options['module'] === 'string' ? [options['module']] : []),
    '--convert-to',
    String(options['format']),
    '--outdir',
    out,
    source.path,
  ])
  const extension = `.${String(options['format']).split(':', 1)[0]}`
  const made = (await readdir(out)).find((name) => extname(name) === extension)
  if (made === undefined) throw new ConversionRefusal('LibreOffice could not read it.')
  return [{ path: join(out, made), mimeType: target }]
}

export default sofficeWork

const settings: readonly (readonly [path: string, name: string, value: string])[] = [
  ['/org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '2'],
]

/** Nothing that a file brings along is run, and nothing that it refers to is fetched. */
async function writeProfile(profile: string): Promise<void> {
  const items = settings.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  const namespaces =
    'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
  await mkdir(join(profile, 'user'), { recursive: true })
  await writeFile(
    join(profile, 'user', 'registrymodifications.xcu'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<oor:items ${namespaces}>${items.join('')}</oor:items>\n`,
  )
}
