// Opens a connection of Viam's Go library once and counts images again for each line on stdin: prints "ok" or the code
// of the error.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"go.uber.org/zap"
	datapb "go.viam.com/api/app/data/v1"
	"go.viam.com/utils/rpc"
	"google.golang.org/grpc/status"
)

func main() {
	ctx := context.Background()
	conn, err := rpc.DialDirectGRPC(ctx, os.Getenv("SIGHTGLASS_ADDRESS"), zap.NewNop().Sugar(),
		rpc.WithInsecure(),
		rpc.WithEntityCredentials(os.Getenv("SIGHTGLASS_KEY_ID"), rpc.Credentials{
			Type: rpc.CredentialsTypeAPIKey, Payload: os.Getenv("SIGHTGLASS_KEY"),
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	data := datapb.NewDataServiceClient(conn)
	fmt.Println("open")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if _, err := data.BinaryDataByFilter(ctx, &datapb.BinaryDataByFilterRequest{CountOnly: true}); err != nil {
			fmt.Println(status.Code(err))
			continue
		}
		fmt.Println("ok")
	}
}
