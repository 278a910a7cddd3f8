import npmChromium from '@sparticuz/chromium'

/**
 * The browser that npm brings, unpacked into the temporary folder by the first who asks. Who asks meanwhile finds half of it: a run of
 * several processes has it unpacked before they start.
 */
export function unpackBrowser(): Promise<string> {
  return npmChromium.executablePath()
}
