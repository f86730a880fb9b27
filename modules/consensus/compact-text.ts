import type {
  ABCIParams,
  BlockParams,
  EvidenceParams,
  ValidatorParams,
} from 'cosmjs-types/tendermint/types/params'

const number = (name: string, value: bigint | number): string =>
  BigInt(value) === 0n ? '' : `${name}:${value} `

const message = (name: string, fields: string): string => `${name}:<${fields}> `

/** New parameters in protobuf's text form on one line, as the SDK's event has them. */
export function compactText(
  block: BlockParams,
  evidence: EvidenceParams,
  validator: ValidatorParams,
  abci: ABCIParams | undefined,
): string {
  const { seconds, nanos } = evidence.maxAgeDuration
  return [
    message('block', number('max_bytes', block.maxBytes) + number('max_gas', block.maxGas)),
    message(
      'evidence',
      number('max_age_num_blocks', evidence.maxAgeNumBlocks) +
        message('max_age_duration', number('seconds', seconds) + number('nanos', nanos)) +
        number('max_bytes', evidence.maxBytes),
    ),
    message(
      'validator',
      validator.pubKeyTypes.map((type) => `pub_key_types:${JSON.stringify(type)} `).join(''),
    ),
    message('version', ''),
    abci ? message('abci', number('vote_extensions_enable_height', abci.voteExtensionsEnableHeight)) : '',
  ].join('')
}
