/** A real server that speaks S3: its argument is a file of S3Proxy's settings. */
public class Server {
    public static void main(String[] arguments) throws Exception {
        org.gaul.s3proxy.Main.main(new String[] {"--properties", arguments[0]});
        System.out.println("READY");
        System.in.read(); // Ends with the test process: its end closes the pipe.
        System.exit(0);
    }
}
