/** Where blobs are kept in an S3-compatible store. */
export interface S3Place {
  readonly bucket: string;
  /** begins the key of every object; '' or ends with a slash */
  readonly prefix: string;
  /** origin of the store; null: AWS's own of the region */
  readonly endpoint: string | null;
  readonly region: string;
}

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixName = /^[\w.-]+(\/[\w.-]+)*$/;
const known = new Set(['endpoint', 'region']);

/**
 * Reads `s3://bucket/prefix?endpoint=https://host&region=name`; the prefix and both options may be absent.
 * @returns the place, or in words what is wrong with the text; they never repeat what may be a secret
 */
export function parseS3Place(text: string): S3Place | { readonly wrong: string } {
  if (!text.startsWith('s3://') || !URL.canParse(text))
    return { wrong: `"${withoutUser(text)}" is not an address of it` };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return {
      wrong:
        'keys do not belong into an address, which others of this machine can read; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    };
  }
  if (!bucketName.test(url.host)) return { wrong: `"${url.host}" is not the name of a bucket` };
  const path = url.pathname.replace(/^\/|\/$/g, '');
  if (path !== '' && (!prefixName.test(path) || path.split('/').some((name) => /^\.+$/.test(name)))) {
    return { wrong: `the prefix "${path}" has other characters than letters, digits and -._/` };
  }
  const unknown = [...url.searchParams.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) return { wrong: `it has no option "${unknown}"` };
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !isOrigin(endpoint)) {
    return { wrong: `the endpoint "${withoutUser(endpoint)}" is not an origin like https://storage.example.com` };
  }
  return {
    bucket: url.host,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    // Stores of one region call it so.
    region: url.searchParams.get('region') ?? 'us-east-1',
  };
}

/** A place in words. */
export const placeInWords = ({ bucket, prefix, endpoint, region }: S3Place): string =>
  `s3://${bucket}/${prefix} at ${endpoint ?? `AWS in ${region}`}`;

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text.replace(/\/$/, '');

const withoutUser = (text: string): string => text.replace(/\/\/[^/]*@/, '//…@');
