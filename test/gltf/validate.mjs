// validate.mjs OUT FILE... - what gltf-validator calls errors in each file: one line for each, with
// their codes, separated by spaces; an empty line where there are none.
import fs from 'node:fs'
import path from 'node:path'
import validator from 'gltf-validator'

async function codesOf(file) {
    const bytes = new Uint8Array(fs.readFileSync(file))
    const beside = async uri =>
        new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))))
    try {
        const report = await validator.validateBytes(bytes, {
            uri: path.basename(file),
            maxIssues: 0,
            externalResourceFunction: beside,
        })
        // Pictures need not be there.
        const errors = report.issues.messages.filter(
            ({ severity, pointer }) => severity === 0 && !pointer?.startsWith('/images/'))
        return [...new Set(errors.map(message => message.code))]
    } catch {
        return ['NO_GLTF']
    }
}

const [outPath, ...files] = process.argv.slice(2)
const lines = []
for (const file of files) lines.push((await codesOf(file)).join(' '))
fs.writeFileSync(outPath, lines.join('\n') + '\n')
