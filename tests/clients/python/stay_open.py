"""Opens the Viam SDK once and counts images again for each line on stdin: prints `ok` or the code of the error."""

import asyncio
import os
import sys

from grpclib.exceptions import GRPCError
from viam.app.viam_client import ViamClient
from viam.rpc.dial import Credentials, DialOptions


async def main():
    options = DialOptions(
        insecure=True,
        auth_entity=os.environ["SIGHTGLASS_KEY_ID"],
        credentials=Credentials("api-key", os.environ["SIGHTGLASS_KEY"]),
    )
    client = await ViamClient.create_from_dial_options(options, app_url=os.environ["SIGHTGLASS_ADDRESS"])
    print("open", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        try:
            await client.data_client.binary_data_by_filter(count_only=True)
            print("ok", flush=True)
        except GRPCError as error:
            print(error.status.name, flush=True)
    client.close()


asyncio.run(main())
