// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how templates write expressions
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import {
  docxOf,
  docxType,
  odtOf,
  odtType,
  paragraphsIn,
  unzipped,
  wordHeader,
  wordParagraph,
  wordPicture,
  wordRow,
  zipOf,
} from '../support/office-files.ts'
import { operationBenchOn, type Role, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { callForFile } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'

const render = 'TemplateProcessor.Render'
const bind = 'TemplateProcessor.Attach'
const detach = 'TemplateProcessor.Detach'
const list = 'TemplateProcessor.List'

// What takes too much is refused soon.
const options = { settings: { automationMaxSteps: 5_000 } }

onEachServer(
  'office templates',
  (server) => {
    const bench = operationBenchOn(server)
    let made = 0

    /** A template in the shared folder under a name of its own, with a file. */
    async function aTemplate(content: Buffer | string, properties: object = {}, file: object = {}): Promise<Answered> {
      const name = `template-${++made}`
      const template: Answered = await bench.make('TemplateSource', { 'dc:title': name, ...properties })
      await attach(server, template.uid, content, { name: `${name}.docx`, 'mime-type': docxType, ...file })
      return template
    }
    const wordTemplate = async (body: string, properties: object = {}) => aTemplate(await docxOf(body), properties)
    const saying = (text: string, properties: object = {}) => wordTemplate(wordParagraph(text), properties)

    const aFile = (properties: object = {}): Promise<Answered> => bench.make('File', { 'dc:title': 'Contract', ...properties })
    const bound = async (template: Answered, properties: object = {}): Promise<Answered> => {
      const { uid } = await aFile(properties)
      return bench.run(bind, uid, { template: template.uid }, { headers: { properties: '*' } })
    }
    const rendered = (input: string, params: object = {}, user: Role = 'Administrator') =>
      callForFile(server, render, { input, params }, { user })
    const partsOf = async (input: string, params: object = {}, user: Role = 'Administrator') => {
      const answer = await rendered(input, params, user)
      assert.equal(answer.status, 200, answer.text)
      return unzipped(answer.bytes)
    }
    const textOf = async (input: string, params: object = {}, user: Role = 'Administrator') =>
      paragraphsIn((await partsOf(input, params, user)).get('word/document.xml'))
    const refused = async (status: number, words: RegExp, input: string, params: object = {}, user: Role = 'Administrator') => {
      const { text, status: said } = await rendered(input, params, user)
      assert.equal(said, status, text)
      assert.match(JSON.parse(text).message, words)
    }
    const bindingsOf = async (uid: string) => (await bench.readProperties(uid))['nxts:bindings'] as Answered[]

    describe(render, () => {
      test('fills a docx file in with the document, also where a placeholder is divided over runs', async () => {
        const template = await wordTemplate(
          wordParagraph('Dear $', '{doc["dc:', 'description"]', '}, this is ${doc.title}') +
            wordParagraph('${doc.dublincore.title} ${CurrentDate.format("yyyy")} ${username} ${templateName}'),
        )
        const { uid } = await bound(template, { 'dc:description': 'A & B <w:p>' })
        const answer = await rendered(uid)
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, docxType], answer.text)
        assert.match(answer.headers.get('content-disposition') ?? '', /Contract\.docx/)
        assert.deepEqual(paragraphsIn((await unzipped(answer.bytes)).get('word/document.xml')), [
          'Dear A &amp; B &lt;w:p&gt;, this is Contract',
          `Contract ${new Date().getFullYear()} Administrator ${template.title}`,
        ])
      })

      test('fills headers in, repeats rows, and chooses paragraphs', async () => {
        const body = [
          `<w:tbl>${wordRow('No.', 'Subject')}${wordRow('[#list doc["dc:subjects"] as s]-', '${s}[/#list]')}</w:tbl>`,
          wordParagraph('<#if doc["dc:format"] == "urgent">'),
          wordParagraph('Hurry!'),
          wordParagraph('</#if>'),
        ].join('')
        const template = await aTemplate(await docxOf(body, { 'word/header1.xml': wordHeader('For ${doc.name}') }))
        const { uid, path } = await bound(template, { 'dc:subjects': ['art', 'sciences'], 'dc:format': 'urgent' })
        const parts = await partsOf(uid)
        const texts = ['No.', 'Subject', '-', 'art', '-', 'sciences', 'Hurry!']
        assert.deepEqual(paragraphsIn(parts.get('word/document.xml')), texts)
        assert.deepEqual(paragraphsIn(parts.get('word/header1.xml')), [`For ${path.split('/').at(-1)}`])
      })

      test('fills an odt file in, which stays one', async () => {
        const content = await odtOf('<text:p>Title: $<text:span>{doc.title}</text:span></text:p>', 'by ${username}')
        const template = await aTemplate(content, {}, { name: 'a.odt', 'mime-type': odtType })
        const { uid } = await bound(template, { 'dc:title': 'a\nb\tc  d' })
        const answer = await rendered(uid)
        assert.equal(answer.headers.get('content-type'), odtType)
        // The type stands at the very beginning, as it is.
        assert.equal(answer.bytes.toString('latin1', 30, 38 + odtType.length), `mimetype${odtType}`)
        const parts = await unzipped(answer.bytes)
        assert.match(
          String(parts.get('content.xml')),
          /Title: <text:span>|Title: a<text:line-break\/>b<text:tab\/>c<text:s text:c="2"\/>d/,
        )
        assert.deepEqual(paragraphsIn(parts.get('styles.xml')), ['by Administrator'])
      })

      test('fills texts in, and escapes values where these would be markup', async () => {
        const title = { 'dc:title': '<i>' }
        const page = await aTemplate('<p>${doc.title}</p>', {}, { name: 'a.html', 'mime-type': 'text/html' })
        assert.equal((await rendered((await bound(page, title)).uid)).text, '<p>&lt;i&gt;</p>')
        const text = await aTemplate('# ${doc.title}', {}, { name: 'a.md', 'mime-type': 'text/x-web-markdown' })
        assert.equal((await rendered((await bound(text, title)).uid)).text, '# <i>')
        const note: Answered = await bench.make('WebTemplateSource', {
          'dc:title': `note ${++made}`,
          'note:note': '<p>[#list doc["dc:subjects"] as s]<b>${s}</b>[/#list]</p>',
          'note:mime_type': 'text/html',
        })
        assert.equal((await rendered((await bound(note, { 'dc:subjects': ['art'] })).uid)).text, '<p><b>art</b></p>')
      })

      test('shows what parameters say, each of its kind', async () => {
        const field = (name: string, type: string, rest: string) => `<n:field name="${name}" type="${type}" ${rest}/>`
        const data = `<n:templateParams xmlns:n="http://www.platform.org/DocumentTemplate">${[
          field('customer', 'String', 'value="A &amp; B"'),
          field('paid', 'Boolean', 'value="true"'),
          field('due', 'Date', 'value="2031-05-04 00:00:00.000"'),
          field('about', 'source', 'source="dc:description"'),
          field('subjects', 'source', 'source="dc:subjects" autoloop="true"'),
          field('body', 'content', 'source="blobContent"'),
        ].join('')}</n:templateParams>`
        const body = [
          wordParagraph('${customer} <#if paid>paid</#if> ${due.format("dd.MM.yyyy")} ${about} ${body}'),
          `<w:tbl>${wordRow('${subjects}')}</w:tbl>`,
        ].join('')
        const template = await wordTemplate(body, { 'tmpl:templateData': data })
        const { uid } = await bound(template, { 'dc:description': 'D', 'dc:subjects': ['art', 'sciences'] })
        await attach(server, uid, 'the text', { name: 'a.txt', 'mime-type': 'text/plain' })
        assert.deepEqual(await textOf(uid), ['A &amp; B paid 04.05.2031 D the text', 'art', 'sciences'])
      })

      test('puts a picture of the document in place of one of the template', async () => {
        const template = await wordTemplate(wordPicture('${photo}'), {
          'tmpl:templateData': '<p><field name="photo" type="picture" source="file:content"/></p>',
        })
        const { uid } = await bound(template)
        await attach(server, uid, 'png bytes', { name: 'a.png', 'mime-type': 'image/png' })
        const parts = await partsOf(uid)
        assert.match(String(parts.get('word/document.xml')), /r:embed="rIdTemplate1"/)
        assert.match(String(parts.get('word/_rels/document.xml.rels')), /Id="rIdTemplate1" [^>]*Target="media\/template-1.png"/)
        assert.match(String(parts.get('[Content_Types].xml')), /<Default Extension="png" ContentType="image\/png"\/>/)
        assert.equal(String(parts.get('word/media/template-1.png')), 'png bytes')
        await attach(server, uid, 'svg', { name: 'a.svg', 'mime-type': 'image/svg+xml' })
        await refused(422, /PNG, JPEG and GIF/, uid)
      })

      test('gives the main file of a document that is bound to none, or nothing', async () => {
        const { uid } = await aFile()
        assert.equal((await rendered(uid)).status, 204)
        await attach(server, uid, 'own', { name: 'own.txt', 'mime-type': 'text/plain' })
        assert.equal((await rendered(uid)).text, 'own')
      })

      test('takes the template of the name, which default is for the first', async () => {
        const [first, second] = [await saying('one'), await saying('two')]
        const { uid } = await bound(first)
        await bench.run(bind, uid, { template: second.uid })
        assert.deepEqual(await textOf(uid), ['one'])
        assert.deepEqual(await textOf(uid, { templateName: second.title }), ['two'])
        await refused(404, /bound to no template third/, uid, { templateName: 'third' })
      })

      test('binds the document with attach, once what is made has succeeded', async () => {
        const template = await saying('${doc.title}', { 'tmpl:applicableTypes': ['File'] })
        const { uid } = await aFile()
        await refused(404, /no template nowhere/, uid, { templateName: 'nowhere', attach: true })
        assert.deepEqual(await textOf(uid, { templateName: template.title, attach: true }, 'writer'), ['Contract'])
        assert.deepEqual(
          (await bindingsOf(uid)).map(({ templateId }) => templateId),
          [template.uid],
        )
        const wrong = await saying('${doc.nothing.more}')
        const { uid: other } = await aFile()
        await refused(400, /has no/, other, { templateName: wrong.title, attach: true })
        assert.equal((await bench.read(other)).facets.includes('TemplateBased'), false)
        const { uid: third } = await aFile()
        await refused(403, /./, third, { templateName: template.title, attach: true }, 'reader')
        const note: Answered = await bench.make('Note')
        await refused(400, /not for documents of the type Note/, note.uid, { templateName: template.title, attach: true })
        await saying('again', { 'dc:title': template.title })
        await refused(409, /Several templates/, third, { templateName: template.title, attach: true })
      })

      test('takes parameters for the document where the template allows that, and keeps them', async () => {
        const data = '<p><field name="a" value="theirs"/><field name="b" value="fixed" readonly="true"/></p>'
        const template = await saying('${a} ${b}', { 'tmpl:templateData': data })
        const { uid } = await bound(template)
        const sent = { templateData: '{"a": "ours", "b": "ours"}' }
        assert.deepEqual(await textOf(uid, { ...sent, save: false }, 'reader'), ['ours fixed'])
        assert.deepEqual(await textOf(uid), ['theirs fixed'])
        await refused(403, /./, uid, sent, 'reader')
        assert.deepEqual(await textOf(uid, sent, 'writer'), ['ours fixed'])
        assert.deepEqual(await textOf(uid), ['ours fixed'])
        await bench.update(template.uid, { 'tmpl:allowOverride': false })
        assert.deepEqual(await textOf(uid, sent), ['theirs fixed'])
        for (const wrong of [
          '<p>',
          '[1]',
          'a',
          '{"a b": 1}',
          '<p><field name="a" type="Date" value="x"/></p>',
          '<p><field name="a" type="X"/></p>',
        ]) {
          await bench.update(template.uid, { 'tmpl:allowOverride': true })
          await refused(400, /templateData/, uid, { templateData: wrong })
        }
      })

      test('keeps the result as the main file with store', async () => {
        const { uid } = await bound(await saying('${doc.title}'))
        assert.deepEqual(await textOf(uid, { store: true, save: false }), ['Contract'])
        assert.equal((await bench.readProperties(uid))['file:content'], null)
        await refused(403, /./, uid, { store: true }, 'reader')
        assert.deepEqual(await textOf(uid, { store: true }, 'writer'), ['Contract'])
        assert.equal((await bench.readProperties(uid))['file:content'].name, 'Contract.docx')
        const kept = await download(server, `api/v1/id/${uid}/@blob/file:content`, { user: 'reader' })
        assert.deepEqual(paragraphsIn((await unzipped(kept.bytes)).get('word/document.xml')), ['Contract'])
        const note: Answered = await bench.make('Note')
        await bench.run(bind, note.uid, { template: (await saying('x')).uid })
        await refused(400, /no place for a file/, note.uid, { store: true })
      })

      test('uses the main file as the template where it was copied from it', async () => {
        const template = await saying('${doc.title}', { 'tmpl:useAsMainContent': true })
        const { uid } = await bound(template)
        assert.equal((await bench.readProperties(uid))['file:content'].name, `${template.title}.docx`)
        await attach(server, uid, await docxOf(wordParagraph('own ${doc.title}')), { name: 'own.docx', 'mime-type': docxType })
        assert.deepEqual(await textOf(uid), ['own Contract'])
        await refused(409, /the template itself/, uid, { store: true })
      })

      test('converts to the type that the template says, or tells what is missing for it', async () => {
        const text = await aTemplate(
          '${doc.title}',
          { 'tmpl:outputFormat': 'html' },
          { name: 'a.txt', 'mime-type': 'text/plain' },
        )
        const page = await rendered((await bound(text)).uid)
        assert.deepEqual([page.status, page.headers.get('content-type')?.split(';')[0]], [200, 'text/html'], page.text)
        const wrong = await saying('x', { 'tmpl:outputFormat': 'nothing' })
        await refused(400, /tmpl:outputFormat/, (await bound(wrong)).uid)
        const pdf = await rendered((await bound(await saying('x', { 'tmpl:outputFormat': 'pdf' }))).uid)
        assert.ok(pdf.status === 200 || (pdf.status === 400 && /not available/.test(pdf.text)), pdf.text)
      })

      test('leaves what other processors would do undone', async () => {
        await refused(400, /tmpl:templateType/, (await bound(await saying('x', { 'tmpl:templateType': 'JXLSProcessor' }))).uid)
        assert.deepEqual(await textOf((await bound(await saying('${x', { 'tmpl:templateType': 'Identity' }))).uid), ['${x'])
      })

      refusalsOf(bench, render, {
        'to who may not read the document': async () => {
          const { uid } = await bound(await saying('x'))
          return { as: 'stranger', input: uid, status: 403, message: /./ }
        },
        'for what is not there': { input: unknownId, status: 404, message: /./ },
      })
    })

    describe('a template that wants more than it may', () => {
      for (const [what, text, words] of [
        ['another document', '${Session.getDocument("/default-domain").title}', /there is no Session/],
        ['the folder of the document', '${doc.parent.title}', /has no parent/],
        ['the folder by another way', '${doc.getParent("Domain").title}', /cannot getParent/],
        ['the document in a list', '${[doc][0].parent}', /has no parent/],
        ['to change the document', '${doc.setPropertyValue("dc:title", "x")}', /cannot setPropertyValue/],
        ['the members of a group', '${Fn.getPrincipalsFromGroup("administrators")}', /cannot getPrincipalsFromGroup/],
        ['a number that is given once', '${Fn.getNextId("x")}', /cannot getNextId/],
        ['the groups of who renders it', '${CurrentUser.groups}', /has no groups/],
        ['settings', '${Env["x"]}', /there is no Env/],
        ['variables of the call', '${Context.x}', /there is no Context/],
        ['what is no expression', '${import("fs")}', /./],
      ] as const) {
        test(`is refused ${what}`, async () => refused(400, words, (await bound(await saying(text))).uid))
      }

      test('shows ids of documents that the caller may not read, and nothing else of them', async () => {
        const hidden = await aFile({ 'dc:title': 'secret' })
        await bench.restrict(hidden.uid, grant('owner', 'Everything'))
        const { uid } = await bound(await saying('${doc["dc:source"]}'), { 'dc:source': hidden.uid })
        assert.deepEqual(await textOf(uid, {}, 'reader'), [hidden.uid])
      })

      test('is gone for who may not read it, as one that was removed', async () => {
        const template = await saying('x')
        const { uid } = await bound(template)
        await bench.restrict(template.uid, grant('owner', 'Everything'))
        await refused(404, /not there, or you may not read it/, uid, {}, 'writer')
        const { status } = await bench.call(bind, (await aFile()).uid, { template: template.uid }, { as: 'writer' })
        assert.equal(status, 403)
        await bench.change(template.uid, { isTrashed: true })
        await refused(404, /not there, or you may not read it/, uid)
      })

      test('is refused when it is no office file, damaged, or made to burst', async () => {
        const zeros = '<w:document xmlns:w="w">'.padEnd(70 * 1024 ** 2)
        for (const [content, status] of [
          ['no zip', 422],
          [await zipOf({ 'a.txt': 'a' }), 422],
          [await zipOf({ 'word/document.xml': '<w:document' }), 422],
          [await zipOf({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }), 422],
          [await zipOf({ 'word/document.xml': zeros }), 413],
          [await docxOf('<w:x/>'.repeat(200_001)), 413],
          [await docxOf(wordParagraph('${doc.title}'.repeat(20_001))), 413],
          [await docxOf('<w:x>'.repeat(300) + '</w:x>'.repeat(300)), 413],
        ] as const) {
          await refused(status, /template/, (await bound(await aTemplate(content))).uid)
        }
      })

      test('is refused when it would take too long or become too large', async () => {
        const data = { 'tmpl:templateData': JSON.stringify({ xs: Array.from({ length: 100 }, (_, index) => `x${index}`) }) }
        const loops = 'abcd'.replace(/./g, '<#list xs as $&>')
        await refused(400, /more than the/, (await bound(await saying(`${loops}\${d}${'</#list>'.repeat(4)}`, data))).uid)
        const much = `<#list xs as a><#list xs as b>${'x'.repeat(2_000)}</#list></#list>`
        await refused(413, /longer than/, (await bound(await saying(much, data))).uid)
      })
    })

    describe(bind, () => {
      test('keeps the parameters of the template with the document', async () => {
        const template = await saying('x', { 'tmpl:templateData': '<p/>' })
        const document = await bound(template)
        assert.ok(document.facets.includes('TemplateBased'))
        const binding = {
          templateId: template.uid,
          templateName: template.title,
          templateData: '<p/>',
          useMainContentAsTemplate: false,
        }
        assert.deepEqual(document.properties['nxts:bindings'], [binding])
        await bench.run(bind, document.uid, { template: template.uid })
        assert.equal((await bindingsOf(document.uid)).length, 1)
      })

      test('refuses what is no template, of another type, or of the same name', async () => {
        const { uid } = await aFile()
        const status = async (template: string, as: Role = 'Administrator') =>
          (await bench.call(bind, uid, { template }, { as })).status
        assert.equal(await status(uid), 400)
        assert.equal(await status(unknownId), 404)
        const template = await saying('x', { 'tmpl:applicableTypes': ['Note'] })
        assert.equal(await status(template.uid), 400)
        await bench.update(template.uid, { 'tmpl:applicableTypes': ['all'] })
        assert.equal(await status(template.uid, 'reader'), 403)
        assert.equal(await status(template.uid, 'writer'), 200)
        assert.equal(await status((await saying('y', { 'dc:title': template.title })).uid), 409)
      })

      test('is kept by copies and versions and seen in proxies, which are rendered as well', async () => {
        const { uid } = await bound(await saying('${doc.title}'))
        const copy = await bench.run('Document.Copy', uid, { target: bench.shared.uid, name: `copy-${++made}` })
        const version = await bench.run('Document.CreateVersion', uid, { increment: 'Minor' })
        const { entries } = await bench.run('Document.GetVersions', version.uid)
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        assert.deepEqual(await textOf(proxy), ['Contract'])
        assert.deepEqual(await textOf(copy.uid), ['Contract'])
        assert.deepEqual(await textOf(entries[0].uid), ['Contract'])
      })
    })

    describe(detach, () => {
      test('takes all templates from a document, and the facet with them', async () => {
        const { uid } = await bound(await saying('x'))
        assert.equal((await bench.call(detach, uid, {}, { as: 'reader' })).status, 403)
        assert.equal((await bench.call(detach, uid, {}, { as: 'writer' })).status, 204)
        assert.equal((await bench.read(uid)).facets.includes('TemplateBased'), false)
        assert.equal((await bench.call(detach, uid)).status, 204)
      })

      test('of a template takes it from its documents, which lets it be removed', async () => {
        const [template, other] = [await saying('x'), await saying('y')]
        const [one, two] = [await bound(template), await bound(template)]
        await bench.run(bind, two.uid, { template: other.uid })
        await bench.restrict(one.uid, grant('owner', 'Everything'))
        const remove = () => bench.call('Document.Delete', template.uid, {}, { as: 'owner' })
        const answer = await remove()
        assert.equal(answer.status, 409, answer.text)
        await bench.call(detach, template.uid, {}, { as: 'reader' })
        assert.equal((await bindingsOf(two.uid)).length, 2)
        assert.equal((await bench.call(detach, template.uid, {}, { as: 'owner' })).status, 204)
        assert.equal((await bench.read(one.uid)).facets.includes('TemplateBased'), false)
        assert.deepEqual(
          (await bindingsOf(two.uid)).map(({ templateId }) => templateId),
          [other.uid],
        )
        assert.equal((await remove()).status, 204)
        assert.deepEqual(await textOf(two.uid), ['y'])
      })
    })

    describe('what else knows of templates', () => {
      test('lists those that a document can be bound to', async () => {
        const [fits, other] = [
          await saying('x', { 'tmpl:applicableTypes': ['File'] }),
          await saying('x', { 'tmpl:applicableTypes': ['Note'] }),
        ]
        const { uid } = await aFile()
        for (const id of [list, 'javascript.FilterTemplatesByType']) {
          const found = uidsOf(await bench.run(id, uid, {}, { as: 'reader' }))
          assert.deepEqual([found.includes(fits.uid), found.includes(other.uid)], [true, false])
        }
        await bench.restrict(fits.uid, grant('owner', 'Everything'))
        assert.equal(uidsOf(await bench.run(list, uid, {}, { as: 'reader' })).includes(fits.uid), false)
      })

      test('javascript.RenderPdf converts what is made, or tells what is missing for it', async () => {
        const text = await aTemplate('%PDF-1.4', {}, { name: 'a.pdf', 'mime-type': 'application/pdf' })
        await bench.update(text.uid, { 'tmpl:templateType': 'Identity' })
        const asIs = await callForFile(server, 'javascript.RenderPdf', { input: (await bound(text)).uid })
        assert.deepEqual([asIs.status, asIs.text], [200, '%PDF-1.4'])
        const made = await callForFile(server, 'javascript.RenderPdf', { input: (await bound(await saying('x'))).uid })
        assert.ok(made.status === 200 || (made.status === 400 && /not available/.test(made.text)), made.text)
      })

      test('the page provider template_based finds the documents of a template', async () => {
        const template = await saying('x')
        const { uid } = await bound(template)
        const query = new URLSearchParams([
          ['queryParams', `"${template.uid}"`],
          ['queryParams', '0'],
        ])
        const { body, text } = await server.as('reader').get(`/search/pp/template_based/execute?${query}`)
        assert.deepEqual(
          body.entries?.map((entry: Answered) => entry.uid),
          [uid],
          text,
        )
      })

      test('renders delivery and webView, if a template says that it makes them', async () => {
        const page = await aTemplate(
          '<p>${doc.title}</p>',
          { 'tmpl:targetRenditionName': 'webView' },
          { name: 'a.html', 'mime-type': 'text/html' },
        )
        const { uid } = await bound(page)
        const renditions = (await bench.read(uid, { 'enrichers.document': 'renditions' })).contextParameters.renditions
        assert.deepEqual(
          renditions.map(({ name }: Answered) => name).filter((name: string) => /delivery|webView/.test(name)),
          ['webView'],
        )
        const web = await download(server, `api/v1/id/${uid}/@rendition/webView?inline=true`, { user: 'reader' })
        assert.deepEqual([web.status, web.text], [200, '<p>Contract</p>'])
        assert.match(web.headers.get('content-security-policy') ?? '', /sandbox/)
        assert.equal((await download(server, `api/v1/id/${uid}/@rendition/delivery`)).status, 404)
        await bench.restrict(page.uid, grant('owner', 'Everything'))
        assert.equal((await download(server, `api/v1/id/${uid}/@rendition/webView`, { user: 'reader' })).status, 404)
      })

      test('new documents of a type are bound to the templates that administrators force on it', async () => {
        const template = await saying('${doc.title}', { 'tmpl:forcedTypes': ['Note'], 'tmpl:applicableTypes': ['Note'] })
        const hidden = await saying('x', { 'tmpl:forcedTypes': ['Note', 'File'] })
        await bench.restrict(hidden.uid, grant('owner', 'Everything'))
        const create = async (type: string, user: Role): Promise<Answered> => {
          const body = { 'entity-type': 'document', type, name: `made-${++made}`, properties: { 'dc:title': 'New' } }
          return (await server.as(user).post(`/path${bench.shared.path}`, body, { properties: '*' })).body
        }
        const note = await create('Note', 'writer')
        assert.deepEqual(
          note.properties['nxts:bindings'].map(({ templateId }: Answered) => templateId),
          [template.uid],
        )
        assert.deepEqual(await textOf(note.uid, {}, 'reader'), ['New'])
        assert.equal((await create('File', 'writer')).facets.includes('TemplateBased'), false)
        assert.equal((await create('File', 'owner')).facets.includes('TemplateBased'), true)
        await bench.run('Document.Copy', hidden.uid, { target: bench.shared.uid, name: `copy-${++made}` }, { as: 'owner' })
        assert.equal((await create('File', 'writer')).facets.includes('TemplateBased'), false)
        for (const { uid } of [template, hidden]) await bench.update(uid, { 'tmpl:forcedTypes': ['none'] })
        assert.equal((await create('File', 'owner')).facets.includes('TemplateBased'), false)
        const sent = {
          'entity-type': 'document',
          type: 'TemplateSource',
          name: 'mine',
          properties: { 'tmpl:forcedTypes': ['Note'] },
        }
        assert.equal((await server.as('writer').post(`/path${bench.shared.path}`, sent)).status, 400)
        assert.equal((await server.as('writer').put(`/id/${template.uid}`, sent)).status, 400)
      })

      test('a template is called as its title until somebody calls it something', async () => {
        const template = await saying('x')
        assert.equal((await bench.readProperties(template.uid))['tmpl:templateName'], template.title)
        const named = await saying('x', { 'tmpl:templateName': `name ${++made}` })
        assert.match((await bench.readProperties(named.uid))['tmpl:templateName'], /^name /)
      })
    })
  },
  options,
)
